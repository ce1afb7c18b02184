"use client";

import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { toolMode } from "@/lib/browser/tool-mode";
import type { ToolMode } from "@/lib/run/request";
import { SavingNote, useSaving } from "./saving-note";

const CHOICES: [ToolMode, string][] = [
  ["auto", "On"],
  ["ask", "Ask first"],
  ["off", "Off"],
];

export function ToolsTab() {
  const tools = useModels((state) => state.tools);
  const problems = useModels((state) => state.toolProblems);
  const modes = useSettings((state) => state.tools);
  const set = useSettings((state) => state.set);
  const saving = useSaving();
  return (
    <div className="space-y-4">
      <p className="text-sm text-ink-2">
        Models may call the tools that are on. A tool that asks waits for you at every call.
      </p>
      {problems?.map(({ server, message }) => (
        <p key={server} role="status" className="text-sm text-danger">
          {message}
        </p>
      ))}
      <ul className="divide-y divide-line rounded-2xl border border-line bg-raised">
        {tools.map((tool) => (
          <li key={tool.name} className="flex items-start justify-between gap-4 p-4">
            <span className="min-w-0">
              <span className="block font-medium">{tool.label}</span>
              <span className="mt-0.5 block text-sm text-ink-2">{tool.description}</span>
            </span>
            <select
              aria-label={tool.label}
              className="rounded-lg border border-line bg-raised px-2 py-1 text-sm"
              value={toolMode(tool, modes)}
              onChange={(event) =>
                saving.run(() =>
                  set({ tools: { ...modes, [tool.name]: event.target.value as ToolMode } }),
                )
              }
            >
              {CHOICES.map(([mode, label]) => (
                <option key={mode} value={mode}>
                  {label}
                </option>
              ))}
            </select>
          </li>
        ))}
      </ul>
      <SavingNote error={saving.error} />
    </div>
  );
}

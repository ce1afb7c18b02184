"use client";

import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { SavingNote, useSaving } from "./saving-note";

export function ToolsTab() {
  const tools = useModels((state) => state.tools);
  const modes = useSettings((state) => state.tools);
  const set = useSettings((state) => state.set);
  const saving = useSaving();
  return (
    <div className="space-y-4">
      <p className="text-sm text-ink-2">Models may call the tools that are on.</p>
      <ul className="divide-y divide-line rounded-2xl border border-line bg-raised">
        {tools.map((tool) => (
          <li key={tool.name}>
            <label className="flex cursor-pointer items-start gap-3 p-4">
              <input
                type="checkbox"
                className="mt-1 size-4 accent-accent"
                checked={modes[tool.name] !== "off"}
                onChange={(event) =>
                  saving.run(() =>
                    set({
                      tools: { ...modes, [tool.name]: event.target.checked ? "auto" : "off" },
                    }),
                  )
                }
              />
              <span>
                <span className="block font-medium">{tool.label}</span>
                <span className="mt-0.5 block text-sm text-ink-2">{tool.description}</span>
              </span>
            </label>
          </li>
        ))}
      </ul>
      <SavingNote error={saving.error} />
    </div>
  );
}

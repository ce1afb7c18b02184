"use client";

import { Wrench } from "lucide-react";
import type { ToolInfo } from "@/lib/browser/models-response";
import { Menu, MenuItem } from "../ui/menu";

interface ToolsMenuProps {
  tools: ToolInfo[];
  modes: Readonly<Record<string, "auto" | "off">>;
  onChange: (modes: Record<string, "auto" | "off">) => void;
}

/** Which tools models may call. */
export function ToolsMenu({ tools, modes, onChange }: ToolsMenuProps) {
  if (tools.length === 0) return null;
  const on = tools.filter((tool) => modes[tool.name] !== "off").length;
  return (
    <Menu
      label="Tools"
      className="chip-button"
      trigger={
        <>
          <Wrench aria-hidden size={16} />
          <span className="hidden sm:inline">Tools</span>
          {on < tools.length ? (
            <span className="text-ink-3 tabular-nums">
              {on}/{tools.length}
            </span>
          ) : null}
        </>
      }
    >
      {() =>
        tools.map((tool) => {
          const checked = modes[tool.name] !== "off";
          return (
            <MenuItem
              key={tool.name}
              role="menuitemcheckbox"
              checked={checked}
              hint={tool.description.split(/(?<=\.)\s/)[0]}
              onSelect={() => onChange({ ...modes, [tool.name]: checked ? "off" : "auto" })}
            >
              {tool.label}
            </MenuItem>
          );
        })
      }
    </Menu>
  );
}

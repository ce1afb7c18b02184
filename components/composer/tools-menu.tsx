"use client";

import { Wrench } from "lucide-react";
import type { ToolInfo } from "@/lib/browser/models-response";
import { toolMode } from "@/lib/browser/tool-mode";
import type { ToolMode } from "@/lib/run/request";
import { Menu, MenuItem } from "../ui/menu";

interface ToolsMenuProps {
  tools: ToolInfo[];
  modes: Readonly<Record<string, ToolMode>>;
  onChange: (modes: Record<string, ToolMode>) => void;
}

/** Which tools models may call. */
export function ToolsMenu({ tools, modes, onChange }: ToolsMenuProps) {
  if (tools.length === 0) return null;
  const on = tools.filter((tool) => toolMode(tool, modes) !== "off").length;
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
          const checked = toolMode(tool, modes) !== "off";
          const on = tool.mode && tool.mode !== "off" ? tool.mode : "auto";
          return (
            <MenuItem
              key={tool.name}
              role="menuitemcheckbox"
              checked={checked}
              hint={tool.description.split(/(?<=\.)\s/)[0]}
              onSelect={() => onChange({ ...modes, [tool.name]: checked ? "off" : on })}
            >
              {tool.label}
            </MenuItem>
          );
        })
      }
    </Menu>
  );
}

"use client";

import { Waves } from "lucide-react";
import type { ThinkingLevel } from "@/lib/ai/types";
import { Menu, MenuItem } from "../ui/menu";

export const LEVEL_LABEL: Record<ThinkingLevel, string> = {
  off: "Off",
  minimal: "Minimal",
  low: "Low",
  medium: "Medium",
  high: "High",
  xhigh: "Extra high",
  max: "Maximum",
};

interface ThinkingMenuProps {
  levels: ThinkingLevel[];
  level: ThinkingLevel;
  onChoose: (level: ThinkingLevel) => void;
}

/** How long the model may think. Not there for a model that cannot. */
export function ThinkingMenu({ levels, level, onChoose }: ThinkingMenuProps) {
  if (levels.every((other) => other === "off")) return null;
  const label = LEVEL_LABEL[level];
  return (
    <Menu
      label={`Thinking: ${label}`}
      menuLabel="Thinking"
      className="chip-button"
      trigger={
        <>
          <Waves aria-hidden size={17} className={level === "off" ? undefined : "text-accent"} />
          <span className="hidden sm:inline">{level === "off" ? "Thinking" : label}</span>
        </>
      }
    >
      {(close) =>
        levels.map((other) => (
          <MenuItem
            key={other}
            role="menuitemradio"
            checked={other === level}
            onSelect={() => {
              onChoose(other);
              close();
            }}
          >
            {LEVEL_LABEL[other]}
          </MenuItem>
        ))
      }
    </Menu>
  );
}

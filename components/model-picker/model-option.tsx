"use client";

import { Brain, Check, Eye } from "lucide-react";
import { memo } from "react";
import type { ModelInfo } from "@/lib/browser/models-response";
import type { FoundModel } from "./find-models";

interface ModelOptionProps {
  id: string;
  index: number;
  found: FoundModel;
  active: boolean;
  chosen: boolean;
  onActive: (index: number) => void;
  onChoose: (found: FoundModel) => void;
}

export const ModelOption = memo(
  function ModelOption(props: ModelOptionProps) {
    const { id, index, found, active, chosen, onActive, onChoose } = props;
    const { model } = found;
    return (
      <div
        id={id}
        role="option"
        tabIndex={-1}
        aria-selected={active}
        aria-current={chosen || undefined}
        className="option"
        ref={(element) => {
          if (active) element?.scrollIntoView({ block: "nearest" });
        }}
        onPointerMove={() => {
          if (!active) onActive(index);
        }}
        onClick={() => onChoose(found)}
        onKeyDown={(event) => {
          if (event.key === "Enter") onChoose(found);
        }}
      >
        <span className="min-w-0 flex-1">
          <span className="flex items-center gap-1.5">
            <span
              className={found.ready ? "truncate font-medium" : "truncate font-medium text-ink-2"}
            >
              {model.name}
            </span>
            {model.reasoning ? (
              <Brain role="img" aria-label="thinks" size={13} className="flex-none text-ink-3" />
            ) : null}
            {model.input.includes("image") ? (
              <Eye role="img" aria-label="sees images" size={13} className="flex-none text-ink-3" />
            ) : null}
          </span>
          <span className="block truncate text-xs text-ink-3">{facts(model)}</span>
        </span>
        {chosen ? <Check aria-hidden size={16} className="flex-none text-accent" /> : null}
      </div>
    );
  },
  (a, b) =>
    a.found === b.found && a.active === b.active && a.chosen === b.chosen && a.index === b.index,
);

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
const price = new Intl.NumberFormat("en", { maximumFractionDigits: 3 });

function facts({ contextWindow, cost }: ModelInfo): string {
  const parts: string[] = [];
  if (contextWindow > 0) parts.push(`${compact.format(contextWindow)} tokens`);
  if (cost) {
    parts.push(
      cost.input === 0 && cost.output === 0
        ? "free"
        : `$${price.format(cost.input)} in, $${price.format(cost.output)} out`,
    );
  }
  return parts.join(" · ");
}

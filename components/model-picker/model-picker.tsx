"use client";

import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { Dialog } from "@/components/ui/dialog";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { ModelList } from "./model-list";

/** Shows the model of the next message, and opens the list to choose another. */
export function ModelPicker() {
  const [open, setOpen] = useState(false);
  const model = useConversation((state) => state.model);
  const find = useModels((state) => state.find);
  const loaded = useModels((state) => state.loaded);
  const name = find(model)?.model.name ?? model?.id ?? (loaded ? "none" : "…");
  return (
    <>
      <button
        type="button"
        data-model-button
        className="chip-button text-sm text-ink"
        aria-label={`Model: ${name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <span className="truncate">{name}</span>
        <ChevronDown aria-hidden size={15} className="flex-none text-ink-3" />
      </button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Choose a model"
        bare
        className="picker"
      >
        <ModelList
          chosen={model}
          onChoose={(ref) => {
            setOpen(false);
            // It holds for this page even when it cannot be stored.
            useConversation
              .getState()
              .setModel(ref)
              .catch(() => {});
          }}
          onClose={() => setOpen(false)}
        />
      </Dialog>
    </>
  );
}

"use client";

import { ChevronDown } from "lucide-react";
import { useCallback } from "react";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { ModelDialog } from "./model-dialog";

interface ModelPickerProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The model of the open conversation, and the dialog to choose another. */
export function ModelPicker({ open, onOpenChange }: ModelPickerProps) {
  const model = useConversation((state) => state.model);
  const setModel = useConversation((state) => state.setModel);
  const providers = useModels((state) => state.providers);
  const loaded = useModels((state) => state.loaded);
  const error = useModels((state) => state.error);
  const load = useModels((state) => state.load);
  const name = useModels(
    (state) =>
      state.providers
        .find((provider) => provider.id === model?.provider)
        ?.models.find(({ id }) => id === model?.id)?.name,
  );
  const ownProviders = useSettings((state) => state.providers);
  const hasOwnKey = useCallback(
    (providerId: string) => {
      const own = ownProviders[providerId];
      return Boolean(own?.apiKey || own?.baseUrl);
    },
    [ownProviders],
  );
  const close = useCallback(() => onOpenChange(false), [onOpenChange]);
  const shown = name ?? model?.id ?? (error ? "not available" : loaded ? "none" : "…");
  return (
    <>
      <button
        type="button"
        className="chip-button model-button"
        aria-label={`Model: ${shown}`}
        title={error ?? `Model: ${shown}`}
        aria-haspopup="dialog"
        aria-expanded={open}
        onClick={() => onOpenChange(true)}
      >
        <span className="truncate">
          {shown === "…" ? "Models…" : name || model ? shown : `Models ${shown}`}
        </span>
        <ChevronDown aria-hidden size={14} className="flex-none text-ink-3" />
      </button>
      <ModelDialog
        open={open}
        onClose={close}
        providers={providers}
        loaded={loaded}
        error={error}
        onReload={() => void load()}
        chosen={model}
        hasOwnKey={hasOwnKey}
        onChoose={(chosen) => void setModel(chosen).catch(() => undefined)}
      />
    </>
  );
}

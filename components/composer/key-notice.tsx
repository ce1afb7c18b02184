"use client";

import { settingsAddress } from "@/components/shell/addresses";
import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";

/** Says before a message is sent that its model's provider has no key. */
export function KeyNotice() {
  const model = useConversation((state) => state.model);
  const find = useModels((state) => state.find);
  const own = useSettings((state) => (model ? state.providers[model.provider] : undefined));
  const loaded = useSettings((state) => state.loaded);
  const provider = find(model)?.provider;
  if (!loaded || !provider?.needsKey || provider.configured || own?.apiKey || own?.baseUrl) {
    return null;
  }
  return (
    <p className="mb-2 rounded-xl bg-warn-soft px-3.5 py-2 text-sm text-warn">
      {provider.name} needs an API key.{" "}
      <a href={settingsAddress(provider.id)} className="font-medium underline">
        Add one in the settings
      </a>
    </p>
  );
}

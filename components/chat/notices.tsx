"use client";

import { useConversation } from "@/lib/browser/stores/conversation";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { useStorage } from "@/lib/browser/stores/storage";
import { settingsAddress } from "../shell/addresses";

/** What one must know before sending: trouble with the browser's storage, no models, a key that is missing. */
export function Notices() {
  const unsaved = useConversation((state) => state.unsaved);
  const storage = useStorage((state) => state.notice);
  const modelsError = useModels((state) => state.error);
  const loadModels = useModels((state) => state.load);
  return (
    <>
      {storage ? (
        <p role="alert" className="notice notice-bad">
          {storage.message} {storage.nextStep}
        </p>
      ) : null}
      {unsaved ? (
        <p role="alert" className="notice notice-bad">
          {unsaved.message} {unsaved.nextStep}
        </p>
      ) : null}
      {modelsError ? (
        <p role="alert" className="notice notice-bad">
          <span>{modelsError}</span>
          <button type="button" className="notice-button" onClick={() => void loadModels()}>
            Try again
          </button>
        </p>
      ) : null}
      <MissingKey />
    </>
  );
}

function MissingKey() {
  const model = useConversation((state) => state.model);
  const provider = useModels((state) => state.providers.find(({ id }) => id === model?.provider));
  const own = useSettings((state) => (model ? state.providers[model.provider] : undefined));
  const loaded = useSettings((state) => state.loaded);
  if (!provider?.needsKey || !loaded || provider.configured) return null;
  // An address of one's own may need no key.
  if (own?.apiKey || own?.baseUrl) return null;
  return (
    <p className="notice">
      <span>{provider.name} needs an API key.</span>
      <a className="notice-button" href={settingsAddress(provider.id)}>
        Add it
      </a>
    </p>
  );
}

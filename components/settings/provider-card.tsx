"use client";

import { type FormEvent, useId, useState } from "react";
import type { ProviderInfo } from "@/lib/browser/models-response";
import type { ProviderSettings } from "@/lib/browser/provider-settings";
import { useSettings } from "@/lib/browser/stores/settings";

interface ProviderCardProps {
  provider: ProviderInfo;
  saved: ProviderSettings | undefined;
}

/** Key and address of one provider. A saved key is never shown again, only that there is one. */
export function ProviderCard({ provider, saved }: ProviderCardProps) {
  const setProvider = useSettings((state) => state.setProvider);
  const [apiKey, setApiKey] = useState("");
  const [baseUrl, setBaseUrl] = useState(saved?.baseUrl ?? "");
  const [said, setSaid] = useState<{ text: string; bad?: boolean }>();
  const id = useId();
  const changed = apiKey.trim() !== "" || baseUrl.trim() !== (saved?.baseUrl ?? "");

  async function apply(change: () => Promise<void>, done: string): Promise<void> {
    try {
      await change();
      setSaid({ text: done });
    } catch (error) {
      setSaid({ text: error instanceof Error ? error.message : String(error), bad: true });
    }
  }

  function save(event: FormEvent): void {
    event.preventDefault();
    const patch: Partial<ProviderSettings> = { baseUrl: baseUrl.trim() || undefined };
    if (apiKey.trim()) patch.apiKey = apiKey.trim();
    void apply(async () => {
      await setProvider(provider.id, patch);
      setApiKey("");
    }, "Saved in this browser.");
  }

  function remove(): void {
    void apply(async () => {
      await setProvider(provider.id, null);
      setApiKey("");
      setBaseUrl("");
    }, "Removed from this browser.");
  }

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out as a form of its own
    <div
      role="group"
      aria-label={provider.name}
      className="scroll-mt-20 rounded-2xl border border-line bg-raised p-4"
      id={`provider-${provider.id}`}
    >
      <header className="mb-3 flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{provider.name}</h2>
        <ProviderState provider={provider} saved={saved} />
      </header>
      <form onSubmit={save} autoComplete="off">
        <div className="grid gap-3 sm:grid-cols-2">
          <div>
            <label htmlFor={`${id}-key`} className="mb-1 block text-xs font-medium text-ink-2">
              API key
            </label>
            <input
              id={`${id}-key`}
              type="password"
              className="field"
              autoComplete="off"
              spellCheck={false}
              placeholder={placeholderFor(provider, saved)}
              value={apiKey}
              onChange={(event) => setApiKey(event.target.value)}
            />
          </div>
          <div>
            <label htmlFor={`${id}-url`} className="mb-1 block text-xs font-medium text-ink-2">
              Base URL
            </label>
            <input
              id={`${id}-url`}
              type="text"
              inputMode="url"
              className="field"
              autoComplete="off"
              spellCheck={false}
              placeholder={provider.baseUrl}
              value={baseUrl}
              onChange={(event) => setBaseUrl(event.target.value)}
            />
          </div>
        </div>
        <footer className="mt-3 flex min-h-9 flex-wrap items-center gap-2">
          <button type="submit" className="button button-primary" disabled={!changed}>
            Save
          </button>
          {saved ? (
            <button type="button" className="button" onClick={remove}>
              Remove
            </button>
          ) : null}
          <span role="status" className={said?.bad ? "text-sm text-danger" : "text-sm text-ink-3"}>
            {said?.text}
          </span>
        </footer>
      </form>
    </div>
  );
}

function placeholderFor(provider: ProviderInfo, saved: ProviderSettings | undefined): string {
  if (saved?.apiKey) return "Saved. Type to replace it.";
  if (!provider.needsKey) return "Not needed";
  return provider.configured ? "The server has one" : (provider.keyEnv[0] ?? "");
}

function ProviderState({ provider, saved }: ProviderCardProps) {
  const [text, ready] = saved?.apiKey
    ? ["Your key", true]
    : provider.configured
      ? [provider.needsKey ? "Key on the server" : "No key needed", true]
      : ["Needs a key", false];
  return (
    <span
      className={
        ready
          ? "rounded-full bg-accent-soft px-2.5 py-0.5 text-xs font-medium text-accent"
          : "rounded-full bg-sunken px-2.5 py-0.5 text-xs font-medium text-ink-3"
      }
    >
      {text}
    </span>
  );
}

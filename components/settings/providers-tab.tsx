"use client";

import { useEffect, useState } from "react";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { ProviderCard } from "./provider-card";

export function ProvidersTab() {
  const providers = useModels((state) => state.providers);
  const error = useModels((state) => state.error);
  const load = useModels((state) => state.load);
  const saved = useSettings((state) => state.providers);
  const loaded = useSettings((state) => state.loaded);
  const [search, setSearch] = useState("");
  const wanted = search.trim().toLowerCase();
  const shown = providers.filter(
    (provider) => provider.id !== "demo" && provider.name.toLowerCase().includes(wanted),
  );

  // The address may name a provider: whoever comes from a failed answer is led to its key.
  useEffect(() => {
    const named = new URLSearchParams(window.location.search).get("provider");
    if (!loaded || providers.length === 0 || !named) return;
    const card = document.getElementById(`provider-${named}`);
    card?.scrollIntoView({ block: "center" });
    card?.querySelector("input")?.focus({ preventScroll: true });
  }, [loaded, providers.length]);

  return (
    <div className="space-y-4">
      <p className="text-sm text-ink-2">
        A key that you save here stays in this browser. It is sent with your requests to this
        provider's address only, and never shown again. A key in the server's environment works for
        everyone who uses this server.
      </p>
      {error ? (
        <p role="alert" className="rounded-xl bg-danger-soft p-3 text-sm text-danger">
          {error}{" "}
          <button type="button" className="underline" onClick={() => void load()}>
            Try again
          </button>
        </p>
      ) : null}
      <input
        type="search"
        className="field"
        aria-label="Search providers"
        placeholder="Search providers"
        value={search}
        onChange={(event) => setSearch(event.target.value)}
      />
      {loaded
        ? shown.map((provider) => (
            <ProviderCard key={provider.id} provider={provider} saved={saved[provider.id]} />
          ))
        : null}
      {loaded && providers.length > 0 && shown.length === 0 ? (
        <p className="text-sm text-ink-3">No provider is called that.</p>
      ) : null}
    </div>
  );
}

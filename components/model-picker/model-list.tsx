"use client";

import { useDeferredValue, useId, useMemo, useState } from "react";
import { navigate } from "@/components/shell/navigate";
import { optionKeys } from "@/components/ui/option-keys";
import type { ModelRef } from "@/lib/browser/db/rows";
import type { ProviderInfo } from "@/lib/browser/models-response";
import { useModels } from "@/lib/browser/stores/models";
import { useSettings } from "@/lib/browser/stores/settings";
import { type FoundModel, findModels } from "./find-models";
import { ModelOption } from "./model-option";

interface ModelListProps {
  chosen: ModelRef | undefined;
  onChoose: (model: ModelRef) => void;
  onClose: () => void;
}

export function ModelList({ chosen, onChoose, onClose }: ModelListProps) {
  const providers = useModels((state) => state.providers);
  const error = useModels((state) => state.error);
  const loaded = useModels((state) => state.loaded);
  const load = useModels((state) => state.load);
  const own = useSettings((state) => state.providers);
  const [search, setSearch] = useState("");
  const [active, setActive] = useState(0);
  const deferred = useDeferredValue(search);
  const listId = useId();

  const groups = useMemo(() => {
    const isReady = (provider: ProviderInfo): boolean =>
      provider.configured || Boolean(own[provider.id]?.apiKey ?? own[provider.id]?.baseUrl);
    return findModels(providers, deferred, isReady);
  }, [providers, own, deferred]);
  const flat = useMemo(() => groups.flatMap((group) => group.models), [groups]);
  const choose = (found: FoundModel | undefined): void => {
    if (found) onChoose({ provider: found.provider.id, id: found.model.id });
  };

  let index = 0;
  return (
    <>
      <input
        type="search"
        aria-label="Search models"
        aria-controls={listId}
        aria-activedescendant={flat[active] ? `${listId}-${active}` : undefined}
        className="w-full border-b border-line bg-transparent px-5 py-4 text-base outline-none"
        placeholder="Search models"
        // biome-ignore lint/a11y/noAutofocus: the dialog was opened to search in
        autoFocus
        value={search}
        onChange={(event) => {
          setSearch(event.target.value);
          setActive(0);
        }}
        onKeyDown={optionKeys({
          count: flat.length,
          active,
          setActive,
          choose: () => choose(flat[active]),
        })}
      />
      <div
        role="listbox"
        id={listId}
        aria-label="Models"
        className="min-h-0 flex-1 overflow-y-auto p-2"
      >
        {groups.map((group) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options, not of fields
          <div
            key={group.provider.id}
            role="group"
            aria-label={group.provider.name}
            className="picker-group"
          >
            <div className="flex items-baseline justify-between gap-2 px-3 pt-3 pb-1">
              <span aria-hidden className="text-xs font-semibold text-ink-2">
                {group.provider.name}
              </span>
              {group.ready ? null : <span className="text-xs text-ink-3">needs a key</span>}
            </div>
            {group.models.map((found) => {
              const at = index++;
              return (
                <ModelOption
                  key={found.model.id}
                  id={`${listId}-${at}`}
                  index={at}
                  found={found}
                  active={at === active}
                  chosen={chosen?.provider === found.provider.id && chosen.id === found.model.id}
                  onActive={setActive}
                  onChoose={choose}
                />
              );
            })}
          </div>
        ))}
        {loaded && flat.length === 0 && !error ? (
          <p className="p-4 text-sm text-ink-3">No model fits. Try fewer words.</p>
        ) : null}
        {!loaded && !error ? <p className="p-4 text-sm text-ink-3">Reading the list…</p> : null}
        {error ? (
          <p role="alert" className="m-2 rounded-xl bg-danger-soft p-3 text-sm text-danger">
            {error}{" "}
            <button type="button" className="underline" onClick={() => void load()}>
              Try again
            </button>
          </p>
        ) : null}
      </div>
      <footer className="flex flex-none items-center justify-between gap-2 border-t border-line px-4 py-2.5 text-xs text-ink-3">
        <span>Prices are US dollars per million tokens, in and out.</span>
        <button
          type="button"
          className="flex-none font-medium text-accent"
          onClick={() => {
            onClose();
            navigate("/settings#providers");
          }}
        >
          Add a key
        </button>
      </footer>
    </>
  );
}

"use client";

import { Brain, Eye, Search } from "lucide-react";
import { memo, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from "react";
import type { ModelRef } from "@/lib/browser/db/rows";
import type { ModelInfo, ProviderInfo } from "@/lib/browser/models-response";
import { settingsAddress } from "../shell/addresses";
import { isComposing } from "../ui/composing";
import { Dialog } from "../ui/dialog";
import { formatPrice, formatTokens } from "../ui/format";
import { filterModels, type ModelGroup } from "./filter-models";

export interface ModelDialogProps {
  open: boolean;
  onClose: () => void;
  providers: ProviderInfo[];
  loaded: boolean;
  /** Why the models could not be listed. */
  error?: string;
  onReload: () => void;
  chosen?: ModelRef;
  hasOwnKey: (providerId: string) => boolean;
  onChoose: (model: ModelRef) => void;
}

export function ModelDialog(props: ModelDialogProps) {
  return (
    <Dialog
      open={props.open}
      onClose={props.onClose}
      title="Choose a model"
      bare
      className="model-dialog"
    >
      <ModelSearch {...props} />
    </Dialog>
  );
}

const keyOf = (provider: string, model: string): string => `${provider}/${model}`;

function ModelSearch(props: ModelDialogProps) {
  const { providers, loaded, error, onReload, chosen, hasOwnKey, onChoose, onClose } = props;
  const [search, setSearch] = useState("");
  // Hundreds of rows: typing comes before drawing them.
  const wanted = useDeferredValue(search);
  const groups = useMemo(
    () => filterModels(providers, wanted, hasOwnKey),
    [providers, wanted, hasOwnKey],
  );
  const keys = useMemo(
    () =>
      groups.flatMap(({ provider, models }) => models.map((model) => keyOf(provider.id, model.id))),
    [groups],
  );
  const chosenKey = chosen && keyOf(chosen.provider, chosen.id);
  const [moved, setMoved] = useState<string>();
  const active =
    moved !== undefined && keys.includes(moved)
      ? moved
      : chosenKey !== undefined && wanted === "" && keys.includes(chosenKey)
        ? chosenKey
        : keys[0];
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const places = useMemo(() => new Map(keys.map((key, place) => [key, place])), [keys]);
  const optionId = (key: string): string => `${id}-${places.get(key)}`;

  const unready = groups.find(
    ({ ready, provider }) => !ready && active?.startsWith(`${provider.id}/`),
  )?.provider;

  useEffect(() => {
    if (active === undefined) return;
    const row = list.current?.querySelector(`[data-key="${CSS.escape(active)}"]`);
    row?.scrollIntoView({ block: "nearest" });
  }, [active]);

  const choose = (key: string): void => {
    for (const { provider, models } of groups) {
      const model = models.find((other) => keyOf(provider.id, other.id) === key);
      if (model) {
        onChoose({ provider: provider.id, id: model.id });
        onClose();
        return;
      }
    }
  };

  function onKeyDown(event: React.KeyboardEvent): void {
    if (isComposing(event.nativeEvent)) return;
    const at = active === undefined ? -1 : keys.indexOf(active);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, PageDown: at + 8, PageUp: at - 8 }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      setMoved(keys[Math.max(0, Math.min(keys.length - 1, to))]);
    } else if (event.key === "Enter" && active !== undefined) {
      event.preventDefault();
      choose(active);
    }
  }

  return (
    <>
      <div className="dialog-search">
        <Search aria-hidden size={18} className="flex-none text-ink-3" />
        <input
          type="search"
          aria-label="Search models"
          placeholder="Search models"
          // biome-ignore lint/a11y/noAutofocus: the dialog is opened to search
          autoFocus
          autoComplete="off"
          spellCheck={false}
          aria-controls={`${id}-list`}
          aria-activedescendant={active === undefined ? undefined : optionId(active)}
          value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setMoved(undefined);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      {error ? (
        <div role="alert" className="dialog-alert">
          <span>{error}</span>
          <button type="button" className="button" onClick={onReload}>
            Try again
          </button>
        </div>
      ) : null}
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Models"
        aria-activedescendant={active === undefined ? undefined : optionId(active)}
        className="model-list"
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        {groups.map((group) => (
          <ModelRows
            key={group.provider.id}
            group={group}
            optionId={optionId}
            active={active?.startsWith(`${group.provider.id}/`) ? active : undefined}
            chosen={chosenKey?.startsWith(`${group.provider.id}/`) ? chosenKey : undefined}
            onChoose={choose}
          />
        ))}
      </div>
      {groups.length === 0 && !error ? (
        <p className="px-5 pb-8 text-center text-sm text-ink-3">
          {loaded ? "No model is called that." : "Loading the models…"}
        </p>
      ) : null}
      <footer className="model-dialog-foot">
        <span>Prices are US dollars per million tokens, in and out.</span>
        {unready ? (
          <a className="model-dialog-link" href={settingsAddress(unready.id)} onClick={onClose}>
            Add a key for {unready.name}
          </a>
        ) : null}
      </footer>
    </>
  );
}

interface ModelRowsProps {
  group: ModelGroup;
  optionId: (key: string) => string;
  active?: string;
  chosen?: string;
  onChoose: (key: string) => void;
}

const ModelRows = memo(
  function ModelRows({ group, optionId, active, chosen, onChoose }: ModelRowsProps) {
    const { provider, ready, models } = group;
    const headingId = `${optionId(keyOf(provider.id, models[0]?.id ?? ""))}-provider`;
    return (
      // biome-ignore lint/a11y/useSemanticElements: a group of options
      <div role="group" aria-labelledby={headingId} className="model-group" data-ready={ready}>
        <div className="model-group-head">
          <span id={headingId}>{provider.name}</span>
          {ready ? null : <span>Needs a key</span>}
        </div>
        {models.map((model) => {
          const key = keyOf(provider.id, model.id);
          const id = optionId(key);
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the search field has the keys
            <div
              key={key}
              id={id}
              data-key={key}
              role="option"
              tabIndex={-1}
              aria-selected={key === chosen}
              aria-labelledby={`${id}-name`}
              aria-describedby={`${id}-facts`}
              className="model-row"
              data-active={key === active || undefined}
              onClick={() => onChoose(key)}
            >
              <span id={`${id}-name`} className="model-name">
                {model.name}
              </span>
              <ModelFacts id={`${id}-facts`} model={model} />
            </div>
          );
        })}
      </div>
    );
  },
  (before, after) =>
    before.group === after.group &&
    before.active === after.active &&
    before.chosen === after.chosen,
);

function ModelFacts({ id, model }: { id: string; model: ModelInfo }) {
  const { cost, contextWindow } = model;
  return (
    <span id={id} className="model-facts">
      {model.input.includes("image") ? <Eye size={14} aria-label="sees images" role="img" /> : null}
      {model.reasoning ? <Brain size={14} aria-label="thinks" role="img" /> : null}
      {contextWindow ? <span title="Context window">{formatTokens(contextWindow)}</span> : null}
      {cost ? (
        <span className="model-price" title="Price per million tokens: input / output">
          {cost.input === 0 && cost.output === 0
            ? "Free"
            : `${formatPrice(cost.input)} / ${formatPrice(cost.output)}`}
        </span>
      ) : null}
    </span>
  );
}

// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ModelInfo, ProviderInfo } from "@/lib/browser/models-response";
import { ModelDialog, type ModelDialogProps } from "./model-dialog";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
Element.prototype.scrollIntoView ??= () => undefined;

const model = (name: string): ModelInfo => ({
  id: name.toLowerCase().replaceAll(" ", "-"),
  name,
  api: "openai-completions",
  reasoning: true,
  thinkingLevels: ["off", "low"],
  input: ["text", "image"],
  contextWindow: 200_000,
  maxTokens: 0,
  cost: { input: 3, output: 15, cacheRead: 0, cacheWrite: 0 },
});
const provider = (id: string, configured: boolean, count: number): ProviderInfo => ({
  id,
  name: id.toUpperCase(),
  configured,
  needsKey: true,
  keyEnv: [],
  baseUrl: "",
  models: Array.from({ length: count }, (_, index) => model(`${id} ${index + 1}`)),
});
const providers = [provider("acme", true, 3), provider("borg", false, 2)];

let host: HTMLElement;
let root: Root;
const onChoose = vi.fn<ModelDialogProps["onChoose"]>();
const onClose = vi.fn();
const onReload = vi.fn();

beforeEach(() => {
  for (const mock of [onChoose, onClose, onReload]) mock.mockReset();
  host = document.body.appendChild(document.createElement("main"));
  root = createRoot(host);
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
});

const hasOwnKey = (): boolean => false;

async function show(props: Partial<ModelDialogProps> = {}): Promise<HTMLInputElement> {
  await act(async () =>
    root.render(
      <ModelDialog
        open
        onClose={onClose}
        providers={providers}
        loaded
        onReload={onReload}
        hasOwnKey={hasOwnKey}
        onChoose={onChoose}
        {...props}
      />,
    ),
  );
  const search = host.querySelector<HTMLInputElement>('input[type="search"]');
  if (!search) throw new Error("no search field");
  return search;
}

async function type(field: HTMLInputElement, text: string): Promise<void> {
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value")?.set;
  await act(async () => {
    set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
async function press(field: HTMLElement, key: string): Promise<void> {
  await act(async () => {
    field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  });
}
const names = (): string[] =>
  [...host.querySelectorAll('[role="option"]')].map(
    (option) => option.querySelector(".model-name")?.textContent ?? "",
  );
const active = (field: HTMLElement): string | undefined =>
  document
    .getElementById(field.getAttribute("aria-activedescendant") ?? "")
    ?.querySelector(".model-name")?.textContent ?? undefined;

describe("choosing a model", () => {
  it("lists models by provider with what one must know", async () => {
    await show();
    expect(names()).toEqual(["acme 1", "acme 2", "acme 3", "borg 1", "borg 2"]);
    const facts = host.querySelector(".model-facts");
    expect(facts?.textContent).toBe("200K$3 / $15");
    expect(
      [...(facts?.querySelectorAll("svg") ?? [])].map((icon) => icon.getAttribute("aria-label")),
    ).toEqual(["sees images", "thinks"]);
    const [acme, borg] = host.querySelectorAll('[role="group"]');
    expect(acme?.textContent).not.toContain("Needs a key");
    expect(borg?.textContent).toContain("Needs a key");
  });

  it("leads to the key that the model under the cursor needs", async () => {
    const search = await show();
    expect(host.querySelector("footer a")).toBeNull();
    await press(search, "PageDown");
    expect(active(search)).toBe("borg 2");
    const link = host.querySelector("footer a");
    expect(link?.textContent).toBe("Add a key for BORG");
    expect(link?.getAttribute("href")).toBe("/settings?provider=borg");
  });

  it("narrows as one types, and takes what Enter finds", async () => {
    const search = await show();
    await type(search, "borg 2");
    expect(names()).toEqual(["borg 2"]);
    await press(search, "Enter");
    expect(onChoose).toHaveBeenCalledExactlyOnceWith({ provider: "borg", id: "borg-2" });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it("begins at the chosen model, moves by arrows and stops at the ends", async () => {
    const search = await show({ chosen: { provider: "acme", id: "acme-3" } });
    expect(active(search)).toBe("acme 3");
    await press(search, "ArrowDown");
    expect(active(search)).toBe("borg 1");
    for (let step = 0; step < 9; step += 1) await press(search, "ArrowDown");
    expect(active(search)).toBe("borg 2");
    await press(search, "ArrowUp");
    await press(search, "Enter");
    expect(onChoose).toHaveBeenCalledExactlyOnceWith({ provider: "borg", id: "borg-1" });
  });

  it("says when the models could not be listed, and tries again", async () => {
    await show({ providers: [], loaded: false, error: "Rill's server cannot be reached." });
    const alert = host.querySelector('[role="alert"]');
    expect(alert?.textContent).toContain("Rill's server cannot be reached.");
    await act(async () => alert?.querySelector("button")?.click());
    expect(onReload).toHaveBeenCalledOnce();
  });

  it("says when nothing fits, and when the list is not there yet", async () => {
    await type(await show(), "nothing like it");
    expect(host.textContent).toContain("No model is called that.");
    await show({ providers: [], loaded: false });
    expect(host.textContent).toContain("Loading the models…");
  });
});

// @vitest-environment happy-dom
import { act, createRef, useState } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Composer, type ComposerProps } from "./composer";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let host: HTMLElement;
let root: Root;
const onSend = vi.fn<ComposerProps["onSend"]>();
const onStop = vi.fn();

beforeEach(() => {
  onSend.mockReset().mockResolvedValue(undefined);
  onStop.mockReset();
  host = document.body.appendChild(document.createElement("main"));
  root = createRoot(host);
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
});

function Held({ text, busy }: { text: string; busy: boolean }) {
  const [value, setValue] = useState(text);
  return (
    <Composer
      value={value}
      onChange={setValue}
      onSend={onSend}
      onStop={onStop}
      busy={busy}
      field={createRef()}
    />
  );
}

async function show(text: string, busy = false): Promise<HTMLTextAreaElement> {
  await act(async () => root.render(<Held text={text} busy={busy} />));
  const field = host.querySelector("textarea");
  if (!field) throw new Error("no field");
  return field;
}

/** Presses a key and tells whether the field kept it to itself. */
async function press(field: HTMLElement, init: KeyboardEventInit & { keyCode?: number }) {
  const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...init });
  if (init.keyCode !== undefined) Object.defineProperty(event, "keyCode", { value: init.keyCode });
  if (init.isComposing) Object.defineProperty(event, "isComposing", { value: true });
  await act(async () => {
    field.dispatchEvent(event);
  });
  return event.defaultPrevented;
}

describe("the message field", () => {
  it("sends on Enter exactly what was typed, and is empty then", async () => {
    const field = await show("  two\nlines ");
    expect(await press(field, { key: "Enter" })).toBe(true);
    expect(onSend).toHaveBeenCalledExactlyOnceWith({ text: "  two\nlines ", images: [] });
    expect(field.value).toBe("");
  });

  it.each([
    ["Shift+Enter", { key: "Enter", shiftKey: true }],
    ["Enter while an input method composes", { key: "Enter", isComposing: true }],
    ["the Enter that Safari tells of after the composition", { key: "Enter", keyCode: 229 }],
  ])("does not send on %s", async (_name, init) => {
    const field = await show("kon");
    expect(await press(field, init)).toBe(false);
    expect(onSend).not.toHaveBeenCalled();
    expect(field.value).toBe("kon");
  });

  it("does not send blanks, nor while a run is active", async () => {
    await press(await show(" \n "), { key: "Enter" });
    await press(await show("later", true), { key: "Enter" });
    expect(onSend).not.toHaveBeenCalled();
  });

  it("gives the text back when it was not stored, before what was typed since", async () => {
    let refuse: (error: Error) => void = () => undefined;
    onSend.mockReturnValue(new Promise((_resolve, reject) => (refuse = reject)));
    const field = await show("kept");
    await press(field, { key: "Enter" });
    expect(field.value).toBe("");
    await act(async () => refuse(new Error("The disk is full.")));
    expect(field.value).toBe("kept");
    expect(host.querySelector('[role="alert"]')?.textContent).toBe("The disk is full.");
  });

  it("stops a run on Escape, but not the composition that Escape ends", async () => {
    const field = await show("", true);
    await press(field, { key: "Escape", isComposing: true });
    expect(onStop).not.toHaveBeenCalled();
    await press(field, { key: "Escape" });
    expect(onStop).toHaveBeenCalledOnce();
  });

  it("offers Stop instead of Send while a run is active", async () => {
    const names = (): (string | null)[] =>
      [...host.querySelectorAll("button")].map((button) => button.getAttribute("aria-label"));
    await show("x");
    expect(names()).toEqual(["Attach files", "Send"]);
    await show("x", true);
    expect(names()).toEqual(["Attach files", "Stop"]);
  });

  it("takes pictures only, and says why it does not take a file", async () => {
    await show("");
    const input = host.querySelector<HTMLInputElement>('input[type="file"]');
    if (!input) throw new Error("no file input");
    const file = new File(["%PDF"], "report.pdf", { type: "application/pdf" });
    Object.defineProperty(input, "files", { value: [file], configurable: true });
    await act(async () => {
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    expect(host.querySelector(".composer-note")?.textContent).toBe(
      "Only pictures can be attached: “report.pdf” is none.",
    );
  });
});

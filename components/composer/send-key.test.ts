import { describe, expect, it } from "vitest";
import { isSendKey } from "./send-key";

const enter = { key: "Enter", shiftKey: false, altKey: false, isComposing: false, keyCode: 13 };

describe("what sends a message", () => {
  it.each([
    ["Enter", enter, true],
    ["Shift+Enter", { ...enter, shiftKey: true }, false],
    ["Alt+Enter", { ...enter, altKey: true }, false],
    ["Enter in a composition", { ...enter, isComposing: true }, false],
    ["Safari's Enter after a composition", { ...enter, keyCode: 229 }, false],
    ["another key", { ...enter, key: "a", keyCode: 65 }, false],
  ])("%s: %#", (_name, event, sends) => {
    expect(isSendKey(event)).toBe(sends);
  });
});

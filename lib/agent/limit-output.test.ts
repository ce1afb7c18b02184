import { describe, expect, it } from "vitest";
import { limitOutput } from "./limit-output.ts";
import type { AgentToolResult } from "./types.ts";

const text = (value: string) => ({ type: "text" as const, text: value });

describe("L-136: limitOutput", () => {
  it("leaves a result that fits as it is", () => {
    const result: AgentToolResult = { content: [text("a".repeat(10))], details: 1 };
    expect(limitOutput(result, 10)).toBe(result);
  });

  it("keeps head and tail, says how much is missing, and keeps the whole for the person", () => {
    const whole = `${"a".repeat(70)}${"-".repeat(900)}${"z".repeat(30)}`;
    const cut = limitOutput({ content: [text(whole)], details: { rows: 3 } }, 100);
    expect(cut.content).toEqual([
      text(
        `${"a".repeat(70)}\n\n[Truncated: 900 of 1000 characters are left out here. To see them, call the tool again for a smaller part, such as a range, a page or a filter.]\n\n${"z".repeat(30)}`,
      ),
    ]);
    expect(cut.details).toEqual({ rows: 3, fullOutput: whole });
  });

  it("splits no character at either cut", () => {
    for (const maxChars of [50, 51, 52, 53]) {
      const cut = limitOutput({ content: [text("😀".repeat(200))] }, maxChars);
      const [block] = cut.content;
      const shown = block?.type === "text" ? block.text : "";
      expect(shown.isWellFormed()).toBe(true);
      const kept = [...shown].filter((character) => character === "😀").length * 2;
      expect(shown).toContain(`[Truncated: ${400 - kept} of 400 characters`);
    }
  });

  it("counts all text together and leaves images in their place", () => {
    const image = { type: "image" as const, data: "AAAA", mimeType: "image/png" };
    const cut = limitOutput(
      { content: [image, text("a".repeat(60)), image, text("b".repeat(60))], details: "note" },
      100,
    );
    expect(cut.content.map((block) => block.type)).toEqual(["image", "text", "image"]);
    expect(cut.details).toEqual({
      value: "note",
      fullOutput: `${"a".repeat(60)}\n${"b".repeat(60)}`,
    });
  });
});

import { describe, expect, it } from "vitest";
import { titleFrom } from "./title";

describe("titleFrom", () => {
  it("takes a short text as it is, on one line", () => {
    expect(titleFrom("  What\n is   this? ")).toBe("What is this?");
  });

  it("cuts a long one at a word, at 60 characters at most", () => {
    const title = titleFrom("word ".repeat(40));
    expect(title).toBe(`${"word ".repeat(11).trim()}…`);
    expect(titleFrom("x".repeat(100))).toBe(`${"x".repeat(59)}…`);
  });

  it("never cuts a character in two", () => {
    const family = "👨‍👩‍👧‍👦";
    expect(titleFrom(family.repeat(80))).toBe(`${family.repeat(59)}…`);
    expect(titleFrom("你好吗".repeat(30))).toBe(`${"你好吗".repeat(20).slice(0, 59)}…`);
  });

  it("has a name for a message without text", () => {
    expect(titleFrom(" \n")).toBe("New chat");
  });
});

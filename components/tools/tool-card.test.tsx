// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ToolCall } from "@/lib/ai/types";
import type { ApprovalAnswer } from "./tool-approval";
import { ToolCard } from "./tool-card";
import type { ToolView } from "./tool-view";

let root: Root;
let place: HTMLElement;

beforeEach(() => {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  place = document.body.appendChild(document.createElement("div"));
  root = createRoot(place);
});
afterEach(async () => {
  await act(async () => root.unmount());
  place.remove();
});

type Answer = (call: { id: string }, answer: ApprovalAnswer) => Promise<void>;

async function show(name: string, view: ToolView, onAnswer?: Answer): Promise<void> {
  const call: ToolCall = { type: "toolCall", id: "c1", name, arguments: {} };
  await act(async () =>
    root.render(<ToolCard call={call} label="Tool" view={view} onAnswer={onAnswer} />),
  );
}

const buttons = () => [
  ...place.querySelectorAll<HTMLButtonElement>('[aria-label="Allow Tool?"] button'),
];
const press = (name: string) =>
  act(async () =>
    buttons()
      .find((button) => button.textContent === name)
      ?.click(),
  );

describe("a call that asks", () => {
  it.each<[string, ApprovalAnswer]>([
    ["Allow", { decision: "allow" }],
    ["Deny", { decision: "deny" }],
    ["Always allow", { decision: "allow", always: true }],
  ])("%s is sent once", async (name, expected) => {
    const answers: unknown[] = [];
    await show("any", { state: "awaiting-approval" }, async ({ id }, answer) => {
      answers.push([id, answer]);
    });
    await press(name);
    await press(name);
    expect(answers).toEqual([["c1", expected]]);
  });

  it("can be answered again when the answer did not arrive", async () => {
    await show("any", { state: "awaiting-approval" }, async () => {
      throw new Error("Rill's server cannot be reached.");
    });
    await press("Allow");
    expect(place.querySelector('[role="alert"]')?.textContent).toContain("cannot be reached");
    expect(buttons().every((button) => !button.disabled)).toBe(true);
  });

  it("asks nothing once it is decided, nor where nobody can decide", async () => {
    await show("any", { state: "running" }, async () => {});
    expect(buttons()).toEqual([]);
    await show("any", { state: "awaiting-approval" });
    expect(buttons()).toEqual([]);
  });
});

describe("a result of a tool of our own", () => {
  it("shows a plan as a list with the state of each step", async () => {
    const plan = [
      { text: "Look", status: "done" },
      { text: "Write", status: "in_progress" },
    ];
    await show("update_plan", { state: "done", details: { plan } });
    const items = [...place.querySelectorAll('[aria-label="Plan"] li')];
    expect(
      items.map((item) => item.querySelector("[role=img]")?.getAttribute("aria-label")),
    ).toEqual(["Done", "In progress"]);
    expect(items.map((item) => item.textContent)).toEqual(["● Look", "◐ Write"]);
  });

  it("links only to addresses that may be followed", async () => {
    const results = [
      { title: "Good", url: "https://a.example/x", snippet: "s" },
      { title: "Bad", url: "javascript:alert(1)", snippet: "s" },
    ];
    await show("web_search", { state: "done", details: { results } });
    const links = [...place.querySelectorAll("a")];
    expect(links.map((link) => link.getAttribute("href"))).toEqual(["https://a.example/x"]);
    expect(place.textContent).toContain("Bad");
  });

  it("shows what a program printed, and its value", async () => {
    const details = { console: [{ level: "log", text: "one" }], value: "[1]" };
    await show("run_javascript", { state: "done", details });
    expect(place.querySelector('[data-part="console"]')?.textContent).toBe("one");
    expect(place.querySelector('[data-part="value"]')?.textContent).toBe("→ [1]");
  });
});

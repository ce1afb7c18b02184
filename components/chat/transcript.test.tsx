// @vitest-environment happy-dom
import { act } from "react";
import { createRoot, type Root } from "react-dom/client";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { AgentMessage } from "@/lib/agent/types";
import type { AssistantContent, AssistantMessage } from "@/lib/ai/types";
import { emptyUsage } from "@/lib/ai/usage";
import type { EntryRow } from "@/lib/browser/db/rows";
import { useConversation } from "@/lib/browser/stores/conversation";
import { initialRunState, type RunState } from "@/lib/run/fold";
import { Transcript } from "./transcript";

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
// The formula parser brings KaTeX along, which complains of a document without a doctype.
vi.hoisted(() => Object.defineProperty(document, "compatMode", { value: "CSS1Compat" }));

let host: HTMLElement;
let root: Root;
const actions = { onRetry: vi.fn(), onChooseModel: vi.fn(), onNewChat: vi.fn() };

beforeEach(async () => {
  for (const action of Object.values(actions)) action.mockReset();
  useConversation.setState(useConversation.getInitialState(), true);
  host = document.body.appendChild(document.createElement("main"));
  root = createRoot(host);
  await act(async () => root.render(<Transcript conversationId="c" {...actions} />));
});
afterEach(() => {
  act(() => root.unmount());
  host.remove();
});

const user: AgentMessage = { role: "user", content: "Hi", timestamp: 0 };
const answer = (
  content: AssistantContent[],
  stopReason: AssistantMessage["stopReason"] = "stop",
): AssistantMessage => ({
  role: "assistant",
  content,
  api: "demo",
  provider: "demo",
  model: "m",
  usage: emptyUsage(),
  stopReason,
  timestamp: 0,
});
const text = (value: string): AssistantContent => ({ type: "text", text: value });
const row = (id: string, message: AgentMessage): EntryRow => ({
  id,
  conversationId: "c",
  parentId: null,
  seq: 0,
  kind: "message",
  message,
  createdAt: 0,
});
const stored = [row("u1", user), row("a1", answer([text("First **answer**")])), row("u2", user)];

async function set(state: Partial<ReturnType<typeof useConversation.getState>>): Promise<void> {
  await act(async () => useConversation.setState(state));
}
async function live(content: AssistantContent[], more: Partial<RunState> = {}): Promise<void> {
  const message = answer(content, "pending");
  const state: RunState = {
    ...initialRunState(),
    messages: [{ id: "a2", message, complete: false }],
    ...more,
  };
  await set({ busy: true, run: { runId: "r", connection: "open", state } });
}
const article = (id: string): HTMLElement | null =>
  host.querySelector<HTMLElement>(`[data-entry-id="${id}"]`);
const log = (): HTMLElement | null => host.querySelector<HTMLElement>('[role="log"]');

describe("the transcript", () => {
  it("draws only the open message while it grows, and keeps its elements when it is stored", async () => {
    await set({ status: "ready", entries: stored });
    await live([text("Se")]);
    const changes: MutationRecord[] = [];
    const observer = new MutationObserver((records) => changes.push(...records));
    for (const id of ["u1", "a1", "u2"]) {
      const kept = article(id);
      if (!kept) throw new Error(`${id} is missing`);
      observer.observe(kept, {
        subtree: true,
        childList: true,
        characterData: true,
        attributes: true,
      });
    }
    const open = article("a2");
    const paragraph = open?.querySelector("p");
    for (const grown of ["Second", "Second ans", "Second answer"]) await live([text(grown)]);
    changes.push(...observer.takeRecords());
    observer.disconnect();
    expect(changes).toEqual([]);
    expect(log()?.getAttribute("aria-busy")).toBe("true");

    await set({
      busy: false,
      run: undefined,
      entries: [...stored, row("a2", answer([text("Second answer")]))],
    });
    expect(article("a2")).toBe(open);
    expect(article("a2")?.querySelector("p")).toBe(paragraph);
    expect(paragraph?.textContent).toBe("Second answer");
    expect(log()?.getAttribute("aria-busy")).toBe("false");
  });

  it("shows a call from its first letter to its result in one card, and the result nowhere else", async () => {
    const call: AssistantContent = { type: "toolCall", id: "t", name: "add_up", arguments: {} };
    await set({ status: "ready", entries: [row("u2", user)] });
    await live([call], {
      messages: [
        {
          id: "a2",
          message: answer([call], "pending"),
          complete: false,
          argsText: { 0: '{"a":"1 +' },
        },
      ],
    });
    const card = host.querySelector<HTMLElement>('[data-tool-call-id="t"]');
    expect(card?.getAttribute("role")).toBe("group");
    expect(card?.getAttribute("aria-label")).toBe("Tool call: Add up");
    expect(card?.dataset.state).toBe("pending");
    expect(card?.textContent).toContain("1 +");

    const whole: AssistantContent = { ...call, arguments: { a: "1 + 1" } };
    const entries = [row("u2", user), row("a2", answer([whole], "toolUse"))];
    const running = { toolCallId: "t", toolName: "add_up", args: {}, state: "running" as const };
    await set({ entries });
    await live([], { messages: [], tools: { t: running } });
    expect(card?.dataset.state).toBe("running");

    const result: AgentMessage = {
      role: "toolResult",
      toolCallId: "t",
      toolName: "add_up",
      content: [{ type: "text", text: "two" }],
      isError: false,
      durationMs: 12,
      timestamp: 0,
    };
    await set({ busy: false, run: undefined, entries: [...entries, row("r1", result)] });
    expect(host.querySelector('[data-tool-call-id="t"]')).toBe(card);
    expect(card?.dataset.state).toBe("done");
    expect(card?.textContent).toContain("two");
    expect(card?.textContent).toContain("12 ms");
    expect(host.querySelectorAll("article")).toHaveLength(2);
  });

  it("tells of a failed answer in its article, with what had arrived and Retry", async () => {
    const failed: AssistantMessage = {
      ...answer([text("Half an")], "error"),
      errorMessage: "The vendor said no.",
    };
    await set({ status: "ready", entries: [row("u", user), row("a", failed)] });
    const alert = article("a")?.querySelector('[role="alert"]');
    expect(alert?.textContent).toContain("The vendor said no.");
    expect(article("a")?.textContent).toContain("Half an");
    const retry = [...(alert?.querySelectorAll("button") ?? [])].find(
      (button) => button.textContent === "Retry",
    );
    await act(async () => retry?.click());
    expect(actions.onRetry).toHaveBeenCalledOnce();
  });

  it("offers to ask again for the last answer only, and not while a run is active", async () => {
    const count = (): number => host.querySelectorAll('[aria-label="Regenerate"]').length;
    const entries = [...stored, row("a2", answer([text("Second")]))];
    await set({ status: "ready", entries });
    expect(count()).toBe(1);
    expect(article("a2")?.querySelector('[aria-label="Regenerate"]')).not.toBeNull();
    await set({ busy: true });
    expect(count()).toBe(0);
  });

  it("tells of a run that could not be started in an article of its own", async () => {
    await set({
      status: "ready",
      entries: [row("u", user)],
      run: {
        runId: "r",
        connection: "lost",
        state: { ...initialRunState(), status: "ended" },
        error: { class: "network", message: "Nobody answers." },
      },
    });
    const told = host.querySelector('article[data-role="assistant"] [role="alert"]');
    expect(told?.textContent).toContain("Nobody answers.");
    expect(told?.textContent).toContain("Retry");
  });
});

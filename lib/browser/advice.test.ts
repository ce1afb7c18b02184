import { describe, expect, it } from "vitest";
import type { AssistantMessage, ErrorClass } from "@/lib/ai/types";
import { type AdviceAction, adviceFor } from "./advice";
import { assistantMessage } from "./testing/scripted-run";

function failed(errorClass: ErrorClass, retryAfterMs?: number): AssistantMessage {
  const details = { class: errorClass, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  return {
    ...assistantMessage([], "error"),
    diagnostics: [
      { type: "attempt", timestamp: 1, details: { class: "overloaded" } },
      { type: "provider-error", timestamp: 2, details },
      { type: "note", timestamp: 3 },
    ],
  };
}

describe("advice for an answer", () => {
  const actions: [ErrorClass, AdviceAction][] = [
    ["auth", "settings"],
    ["rate-limit", "wait"],
    ["quota", "model"],
    ["overloaded", "retry"],
    ["context-overflow", "new-chat"],
    ["content-filter", "model"],
    ["invalid-request", "model"],
    ["not-found", "model"],
    ["network", "retry"],
    ["timeout", "retry"],
    ["ended-early", "retry"],
    ["turn-limit", "none"],
    ["unknown", "retry"],
  ];
  it.each(actions)("of class %s offers %s", (errorClass, action) => {
    const advice = adviceFor(failed(errorClass));
    expect(advice.action).toBe(action);
    expect(advice.title).toMatch(/^[A-Z].{5,}/);
    expect(advice.advice).toMatch(/\.$/);
  });

  it("names the wait that the vendor asked for", () => {
    expect(adviceFor(failed("rate-limit", 30_000))).toMatchObject({
      action: "wait",
      waitMs: 30_000,
    });
    expect(adviceFor(failed("overloaded", 2000))).toMatchObject({ action: "wait", waitMs: 2000 });
    expect(adviceFor(failed("auth", 2000))).toMatchObject({ action: "settings" });
    expect(adviceFor(failed("auth", 2000)).waitMs).toBeUndefined();
  });

  it("that was stopped, was cut by its limit, or tells no class or a strange one", () => {
    expect(adviceFor(assistantMessage([], "aborted"))).toMatchObject({
      title: "Stopped",
      action: "none",
    });
    expect(adviceFor(assistantMessage([], "length")).title).toContain("length limit");
    expect(adviceFor(assistantMessage([], "error")).action).toBe("retry");
    expect(adviceFor(failed("of-a-newer-version" as ErrorClass)).action).toBe("retry");
  });
});

describe("advice for a run that did not start", () => {
  it.each([
    [
      { class: "invalid-request", status: 413 },
      "The conversation is too large to send",
      "new-chat",
    ],
    [
      { class: "auth", status: 401, code: "access-token" },
      "This server needs its access token",
      "retry",
    ],
    [{ class: "overloaded", status: 500, code: "internal" }, "Rill's server failed", "retry"],
    [{ class: "network" }, "Rill's server cannot be reached", "retry"],
    [{ class: "invalid-request", status: 400 }, "The request was not accepted", "model"],
    [{ class: "not-found", status: 404 }, "The model was not found", "model"],
  ] as const)("%o", (failure, title, action) => {
    expect(adviceFor({ message: "Why.", ...failure })).toMatchObject({ title, action });
  });
});

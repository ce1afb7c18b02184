import { describe, expect, it } from "vitest";
import type { AssistantMessage } from "@/lib/ai/types";
import { emptyUsage } from "@/lib/ai/usage";
import type { RunEvent, RunEventBody } from "@/lib/run/events";
import type { RunLog } from "./log";
import { RunWriter } from "./run-writer";

class ListedLog implements RunLog {
  readonly events: RunEvent[] = [];
  size = 0;
  get lastSeq(): number {
    return this.events.length;
  }
  get ended(): boolean {
    return this.events.at(-1)?.type === "agent_end";
  }
  append(event: RunEvent): void {
    this.events.push(event);
    this.size += JSON.stringify(event).length;
  }
  async *read(): AsyncGenerator<string> {}
}

const failed: AssistantMessage = {
  role: "assistant",
  content: [{ type: "text", text: "The test says: short-key." }],
  api: "a",
  provider: "p",
  model: "m",
  usage: emptyUsage(),
  stopReason: "error",
  errorMessage: "Incorrect API key: short-key",
  diagnostics: [{ type: "x", timestamp: 0, error: { message: "short-key is wrong" } }],
  timestamp: 0,
};

const delta: RunEventBody = {
  type: "message_update",
  messageId: "m1",
  assistantMessageEvent: { type: "text_delta", contentIndex: 0, delta: "0123456789" },
};

describe("RunWriter", () => {
  it("numbers from 1 and tells the time since the run began", () => {
    const log = new ListedLog();
    let now = 1000;
    const writer = new RunWriter(log, [], undefined, undefined, () => now);
    void writer.append({ type: "agent_start" });
    now = 1012.3456;
    void writer.append({ type: "turn_start" }, 7);
    void writer.append({ type: "agent_end", messages: [] });
    void writer.append({ type: "turn_start" });
    expect(log.events).toEqual([
      { seq: 1, t: 0, type: "agent_start" },
      { seq: 2, t: 12.35, cause: 7, type: "turn_start" },
      { seq: 3, t: 12.35, type: "agent_end", messages: [] },
    ]);
  });

  it("keeps a key that a vendor repeats out of every failure, and the text of a message as it is", () => {
    const log = new ListedLog();
    const writer = new RunWriter(log, ["short-key"]);
    void writer.append({ type: "message_end", messageId: "m1", message: failed });
    void writer.append({ type: "turn_end", message: failed, toolResults: [] });
    void writer.append({
      type: "provider_retry",
      turn: 1,
      attempt: 1,
      maxRetries: 2,
      delayMs: 1,
      message: "401: short-key",
    });
    void writer.append({
      type: "provider_event",
      turn: 1,
      attempt: 1,
      chunk: 0,
      event: { error: "short-key" },
    });
    void writer.append({ type: "agent_end", messages: [failed] });
    const text = JSON.stringify(log.events).replaceAll("The test says: short-key.", "");
    expect(text).not.toContain("short-key");
    expect(log.events[0]).toMatchObject({ message: { content: failed.content } });
    expect(failed.errorMessage).toContain("short-key");
  });

  it("keeps a key that cannot be a word out of tool results too", () => {
    const log = new ListedLog();
    const key = "sk-CANARY-0123456789-abcdef";
    const writer = new RunWriter(log, [key]);
    void writer.append({
      type: "tool_execution_end",
      toolCallId: "c",
      toolName: "t",
      isError: false,
      result: { content: [{ type: "text", text: `env: ${key}` }] },
    });
    expect(JSON.stringify(log.events)).not.toContain(key);
  });

  it("stops a run that grows too large, without a gap in its numbers", () => {
    const log = new ListedLog();
    let stopped = 0;
    const writer = new RunWriter(
      log,
      [],
      () => {
        stopped++;
      },
      400,
    );
    const growing = (count: number): RunEventBody => ({ ...delta, messageId: `m${count}` });
    for (let count = 0; count < 10; count++) void writer.append(growing(count));
    void writer.append({ type: "agent_end", messages: [] });
    expect(stopped).toBe(1);
    expect(log.events.length).toBeLessThan(11);
    expect(log.events.map((event) => event.seq)).toEqual(log.events.map((_, index) => index + 1));
    expect(log.ended).toBe(true);
  });

  it("leaves the vendor's own events out before it touches the answer", () => {
    const log = new ListedLog();
    const writer = new RunWriter(log, [], undefined, 400);
    const wire: RunEventBody = { type: "provider_event", turn: 1, attempt: 1, chunk: 0, event: {} };
    for (let count = 0; count < 6; count++) void writer.append(wire);
    void writer.append(delta);
    const kinds = log.events.map((event) => event.type);
    expect(kinds.filter((kind) => kind === "provider_event").length).toBeLessThan(6);
    expect(kinds.at(-1)).toBe("message_update");
  });
});

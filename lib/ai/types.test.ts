/** Shapes of the protocol. A field more or less than here fails the type check, which runs over tests too. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { pendingMessage } from "./adapter.ts";
import { testModel } from "./testing/run-stream.ts";
import type {
  AssistantContent,
  AssistantMessage,
  AssistantMessageEvent,
  ConstrainedSampling,
  DeferredHandle,
  DoneReason,
  ErrorReason,
  ImageContent,
  Message,
  NestedCalls,
  StopReason,
  SystemMessage,
  TextContent,
  ThinkingContent,
  Tool,
  ToolCall,
  ToolResultMessage,
  Usage,
  UserMessage,
} from "./types.ts";

/** Whether each field must be there. */
type Fields<T> = { [Key in keyof Required<T>]: object extends Pick<T, Key> ? "may" : "must" };
type Words<T extends string> = Record<T, true>;

const words = (record: Record<string, true>): string[] => Object.keys(record);
const needed = (fields: Record<string, "must" | "may">): string[] =>
  Object.keys(fields).filter((name) => fields[name] === "must");

describe("the protocol's shapes", () => {
  it("P-001: a message has one of four roles", () => {
    const roles: Words<Message["role"]> = {
      system: true,
      user: true,
      assistant: true,
      toolResult: true,
    };
    expect(words(roles)).toHaveLength(4);
  });

  it("P-002: a system message may set and remove sections and tools", () => {
    const fields: Fields<SystemMessage> = {
      role: "must",
      content: "must",
      sections: "may",
      toolsAdded: "may",
      toolsRemoved: "may",
      timestamp: "must",
    };
    expect(needed(fields)).toEqual(["role", "content", "timestamp"]);
    const message: SystemMessage = {
      role: "system",
      content: [{ type: "text", text: "a" }],
      sections: { set: "b", removed: null },
      toolsRemoved: [{ name: "t" }],
      timestamp: 0,
    };
    expect(Object.keys(message.toolsRemoved?.[0] ?? {})).toEqual(["name"]);
  });

  it("P-003: a user's content is a text or a list of texts and images", () => {
    const fields: Fields<UserMessage> = { role: "must", content: "must", timestamp: "must" };
    expect(needed(fields)).toEqual(["role", "content", "timestamp"]);
    const kinds: Words<Exclude<UserMessage["content"], string>[number]["type"]> = {
      text: true,
      image: true,
    };
    expect(words(kinds)).toEqual(["text", "image"]);
  });

  it("P-004, P-005, P-006: an answer's content is a list of three kinds, and says whose it is", () => {
    const kinds: Words<AssistantContent["type"]> = { text: true, thinking: true, toolCall: true };
    expect(words(kinds)).toHaveLength(3);
    const fields: Fields<AssistantMessage> = {
      role: "must",
      content: "must",
      api: "must",
      provider: "must",
      model: "must",
      usage: "must",
      stopReason: "must",
      timestamp: "must",
      responseModel: "may",
      responseId: "may",
      thinkingLevel: "may",
      providerThinkingLevel: "may",
      rawStopReason: "may",
      errorMessage: "may",
      diagnostics: "may",
      deferred: "may",
      endTurn: "may",
      images: "may",
      native: "may",
      durationMs: "may",
    };
    const pending = pendingMessage(testModel({ api: "a", id: "m", baseUrl: "https://a.example" }));
    expect(Object.keys(pending).sort()).toEqual(needed(fields).sort());
    expect(pending.content).toEqual([]);
  });

  it("P-009, P-085: seven stop reasons, of which four end an answer well and two badly", () => {
    const reasons: Words<StopReason> = {
      pending: true,
      stop: true,
      length: true,
      toolUse: true,
      error: true,
      aborted: true,
      deferred: true,
    };
    const done: Words<DoneReason> = { stop: true, length: true, toolUse: true, deferred: true };
    const failed: Words<ErrorReason> = { error: true, aborted: true };
    expect([...words(done), ...words(failed), "pending"].sort()).toEqual(words(reasons).sort());
  });

  it("P-011, P-012, P-013, P-015: the blocks", () => {
    const text: Fields<TextContent> = {
      type: "must",
      text: "must",
      textSignature: "may",
      sources: "may",
    };
    const thinking: Fields<ThinkingContent> = {
      type: "must",
      thinking: "must",
      thinkingSignature: "may",
      redacted: "may",
    };
    const call: Fields<ToolCall> = {
      type: "must",
      id: "must",
      name: "must",
      arguments: "must",
      argumentsError: "may",
      thoughtSignature: "may",
      namespace: "may",
    };
    const image: Fields<ImageContent> = { type: "must", data: "must", mimeType: "must" };
    expect([text, thinking, call, image].map(needed)).toEqual([
      ["type", "text"],
      ["type", "thinking"],
      ["type", "id", "name", "arguments"],
      ["type", "data", "mimeType"],
    ]);
  });

  it("P-016, P-017, P-019: a tool's result has no structured content, and tells of calls within it", () => {
    const fields: Fields<ToolResultMessage> = {
      role: "must",
      toolCallId: "must",
      toolName: "must",
      content: "must",
      details: "may",
      usage: "may",
      nestedCalls: "may",
      isError: "must",
      durationMs: "may",
      timestamp: "must",
    };
    expect(fields).not.toHaveProperty("structuredContent");
    const nested: Fields<NestedCalls> = { calls: "must", complete: "must" };
    const call: Fields<NestedCalls["calls"][number]> = {
      id: "must",
      name: "must",
      arguments: "may",
      argumentsBytes: "may",
      status: "must",
      durationMs: "may",
      error: "may",
    };
    const status: Words<NestedCalls["calls"][number]["status"]> = {
      ok: true,
      error: true,
      unfinished: true,
    };
    expect([needed(nested), needed(call), words(status)]).toEqual([
      ["calls", "complete"],
      ["id", "name", "status"],
      ["ok", "error", "unfinished"],
    ]);
  });

  it("P-021, P-022: a tool, and how its arguments may be held to a form", () => {
    const fields: Fields<Tool> = {
      name: "must",
      description: "must",
      parameters: "must",
      constrainedSampling: "may",
    };
    expect(needed(fields)).toEqual(["name", "description", "parameters"]);
    const kinds: Words<Exclude<ConstrainedSampling, false>["type"]> = {
      json_schema: true,
      grammar: true,
    };
    expect(words(kinds)).toHaveLength(2);
  });

  it("P-080: twelve kinds of events", () => {
    const kinds: Words<AssistantMessageEvent["type"]> = {
      start: true,
      text_start: true,
      text_delta: true,
      text_end: true,
      thinking_start: true,
      thinking_delta: true,
      thinking_end: true,
      toolcall_start: true,
      toolcall_delta: true,
      toolcall_end: true,
      done: true,
      error: true,
    };
    expect(words(kinds)).toHaveLength(12);
  });

  it("P-280, P-301: usage and the handle of a deferred answer", () => {
    const usage: Fields<Usage> = {
      input: "must",
      output: "must",
      cacheRead: "must",
      cacheWrite: "must",
      cacheWrite1h: "may",
      reasoning: "may",
      totalTokens: "must",
      cost: "must",
      unreported: "may",
    };
    const handle: Fields<DeferredHandle> = {
      provider: "must",
      modelId: "must",
      api: "must",
      id: "must",
      expiresAt: "may",
      pollAfterMs: "may",
      data: "may",
    };
    expect([needed(usage), needed(handle)]).toEqual([
      ["input", "output", "cacheRead", "cacheWrite", "totalTokens", "cost"],
      ["provider", "modelId", "api", "id"],
    ]);
  });

  it("P-032: transcript.ts alone makes a transcript of a context", () => {
    const makers = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts") && !path.endsWith(".test.ts"))
      .filter((path) =>
        /\bas (unknown as )?TranscriptContext\b/.test(
          readFileSync(join(import.meta.dirname, path), "utf8"),
        ),
      );
    expect(makers).toEqual(["transcript.ts"]);
  });
});

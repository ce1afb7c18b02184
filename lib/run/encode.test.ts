import { describe, expect, it } from "vitest";
import { runLoop, textResult, tool, user } from "@/lib/agent/testing/harness";
import { call, calls, says, scripted } from "@/lib/agent/testing/scripted-stream";
import type { AgentEvent } from "@/lib/agent/types";
import type { AssistantMessage, Usage } from "@/lib/ai/types";
import { emptyUsage } from "@/lib/ai/usage";
import { RunRecorder } from "./encode";
import type { RunEvent, RunEventBody } from "./events";
import { foldRunEvent, initialRunState } from "./fold";

function countingRecorder(): RunRecorder {
  let count = 0;
  return new RunRecorder(() => `m${++count}`);
}

function recordAll(events: AgentEvent[]): RunEventBody[] {
  const recorder = countingRecorder();
  return events.flatMap((event) => recorder.record(event) ?? []);
}

/** As the log has them: encoded when they are told, so that a live object cannot change them later. */
async function recordLive(setup: Parameters<typeof runLoop>[0]): Promise<RunEventBody[]> {
  const recorder = countingRecorder();
  const bodies: RunEventBody[] = [];
  await runLoop({
    ...setup,
    onEvent: (event) => {
      const body = recorder.record(event);
      if (body) bodies.push(JSON.parse(JSON.stringify(body)));
    },
  });
  return bodies;
}

const types = (bodies: RunEventBody[]): string[] =>
  bodies.map((body) =>
    body.type === "message_update" ? body.assistantMessageEvent.type : body.type,
  );

describe("RunRecorder", () => {
  it("writes a run with a tool call as its log", async () => {
    const bodies = await recordLive({
      script: scripted([calls([call("c1", "add", { a: 1 })]), says("Done.")]),
      tools: [tool("add", async () => textResult("2"))],
      from: [user("hi")],
    });
    expect(types(bodies)).toEqual([
      "agent_start",
      "turn_start",
      "message_start",
      "message_end",
      "message_start",
      "toolcall_start",
      "toolcall_delta",
      "toolcall_end",
      "message_end",
      "tool_execution_start",
      "tool_execution_end",
      "message_start",
      "message_end",
      "turn_end",
      "turn_start",
      "message_start",
      "text_start",
      "text_delta",
      "text_end",
      "message_end",
      "turn_end",
      "agent_end",
    ]);
    expect(bodies[5]).toEqual({
      type: "message_update",
      messageId: "m2",
      assistantMessageEvent: { type: "toolcall_start", contentIndex: 0, id: "c1", name: "add" },
    });
    expect(JSON.stringify(bodies)).not.toContain('"partial"');
  });

  it("starts a message empty although the live one has run ahead", async () => {
    const bodies = await recordLive({ script: scripted([says("All of it.")]), from: [user("hi")] });
    const start = bodies.find((body) => body.type === "message_start");
    expect(start).toMatchObject({ message: { content: [], stopReason: "pending" } });
    const events = bodies.map((body, index) => ({ seq: index + 1, t: 0, ...body }) as RunEvent);
    const live = events
      .slice(
        0,
        events.findIndex((event) => event.type === "message_end"),
      )
      .reduce(foldRunEvent, initialRunState());
    expect(live.messages[0]?.message).toMatchObject({
      content: [{ type: "text", text: "All of it." }],
    });
  });

  it("tells usage on the update that brings it and only then", () => {
    const partial: AssistantMessage = {
      role: "assistant",
      content: [{ type: "text", text: "" }],
      api: "demo",
      provider: "demo",
      model: "demo",
      usage: emptyUsage(),
      stopReason: "pending",
      timestamp: 1,
    };
    const delta = (usage: Usage): AgentEvent => {
      const now = { ...partial, usage };
      const assistantMessageEvent = {
        type: "text_delta" as const,
        contentIndex: 0,
        delta: "x",
        partial: now,
      };
      return { type: "message_update", message: now, assistantMessageEvent };
    };
    const ten = { ...emptyUsage(), input: 10, totalTokens: 10 };
    const twelve = { ...ten, output: 2, totalTokens: 12 };
    const bodies = recordAll([
      { type: "message_start", message: partial },
      delta(emptyUsage()),
      delta(ten),
      delta(ten),
      delta(twelve),
    ]);
    expect(
      bodies.slice(1).map((body) => (body.type === "message_update" ? body.usage : 0)),
    ).toEqual([undefined, ten, undefined, twelve]);
  });
});

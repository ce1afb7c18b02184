import { afterEach, describe, expect, it } from "vitest";
import { call, calls, scripted } from "@/lib/agent/testing/scripted-stream";
import type { RunEvent } from "@/lib/run/events";
import { foldRunEvent, initialRunState, type RunState } from "@/lib/run/fold";
import { replaceRuntime } from "@/lib/server/runtime";
import {
  abortRun,
  allEvents,
  eventsOf,
  nextOf,
  readEvents,
  runBody,
  scriptedProvider,
  sendAnswer,
  startRun,
  useRuntime,
} from "../testing/run-api";

afterEach(() => {
  replaceRuntime(undefined);
});

const runId = "run-00000001";
const stateOf = (events: RunEvent[]): RunState => events.reduce(foldRunEvent, initialRunState());
const sum = call("c1", "calculate", { expression: "1 + 1" });

function start(script = scripted([calls([sum]), "Done."]), change: Record<string, unknown> = {}) {
  useRuntime([scriptedProvider(script.streamFn)]);
  return startRun(runBody(change));
}

const resultText = (state: RunState, id = "c1"): string => {
  const block = state.tools[id]?.result?.content[0];
  return block?.type === "text" ? block.text : "";
};

describe("tools of a run", () => {
  it("runs at once what is set to auto, and everything of the server's own when nothing is set", async () => {
    for (const tools of [{ calculate: "auto" }, undefined]) {
      const state = stateOf(await allEvents(await start(undefined, { tools })));
      expect(state.tools.c1?.state).toBe("done");
      expect(resultText(state)).toContain("2");
    }
  });

  it("does not offer what is off or not named", async () => {
    for (const tools of [{ calculate: "off" }, { get_current_time: "auto" }]) {
      const script = scripted([calls([sum]), "Done."]);
      const state = stateOf(await allEvents(await start(script, { tools })));
      expect(state.tools.c1?.state).toBe("error");
      expect(JSON.stringify(script.requests[0]?.messages)).not.toContain('"calculate"');
    }
  });

  it("waits at a tool that asks, also for a person who comes back, and goes on when allowed", async () => {
    const first = eventsOf(await start(undefined, { tools: { calculate: "ask" } }));
    const asked = await nextOf(first, "tool_approval_requested");
    expect(asked).toMatchObject({ toolCallId: "c1", args: { expression: "1 + 1" } });
    await first.return(undefined);

    const again = await readEvents(runId, `?after=${asked.seq}`);
    expect((await sendAnswer(runId, "c2", { decision: "allow" })).status).toBe(404);
    expect((await sendAnswer(runId, "c1", { decision: "allow" })).status).toBe(202);
    expect((await sendAnswer(runId, "c1", { decision: "allow" })).status).toBe(404);
    await allEvents(again);
    const log = await allEvents(await readEvents(runId));
    const states = log.map((_, index) => stateOf(log.slice(0, index + 1)).tools.c1?.state);
    expect([...new Set(states)]).toEqual([
      undefined,
      "pending",
      "running",
      "awaiting-approval",
      "done",
    ]);
    expect((await sendAnswer(runId, "c1", { decision: "allow" })).status).toBe(409);
  });

  it("finds a call whose id had to be escaped in the address", async () => {
    for (const inAddress of ["call|1%", encodeURIComponent("call|1%")]) {
      const script = scripted([calls([{ ...sum, id: "call|1%" }]), "Done."]);
      const response = await start(script, { tools: { calculate: "ask" } });
      await nextOf(eventsOf(await readEvents(runId)), "tool_approval_requested");
      expect((await sendAnswer(runId, inAddress, { decision: "allow" })).status).toBe(202);
      expect(stateOf(await allEvents(response)).tools["call|1%"]?.state).toBe("done");
    }
  });

  it("tells the model why a person did not allow a call", async () => {
    const script = scripted([calls([sum]), "Fine."]);
    const response = await start(script, { tools: { calculate: "ask" } });
    await nextOf(eventsOf(await readEvents(runId)), "tool_approval_requested");
    await sendAnswer(runId, "c1", { decision: "deny", reason: "do it by hand" });
    const state = stateOf(await allEvents(response));
    expect(state.tools.c1?.state).toBe("denied");
    expect(resultText(state)).toContain("do it by hand");
    expect(script.requests[1]?.messages.at(-1)).toMatchObject({
      role: "toolResult",
      isError: true,
    });
  });

  it("ends the wait when the run is stopped", async () => {
    const response = await start(undefined, { tools: { calculate: "ask" } });
    await nextOf(eventsOf(await readEvents(runId)), "tool_approval_requested");
    await abortRun(runId);
    const state = stateOf(await allEvents(response));
    expect(state).toMatchObject({ status: "ended", tools: { c1: { state: "aborted" } } });
  });

  it("takes the result of a tool that runs in the browser", async () => {
    const script = scripted([calls([call("c1", "pick_color", {})]), "Blue."]);
    const tool = {
      name: "pick_color",
      description: "Lets the person pick a color.",
      parameters: { type: "object" },
    };
    const context = { messages: [{ role: "user", content: "hi", timestamp: 1 }], tools: [tool] };
    const response = await start(script, { context, tools: {} });
    await nextOf(eventsOf(await readEvents(runId)), "tool_execution_start");
    const wrong = await sendAnswer(runId, "c1", { result: { content: "blue" } });
    expect(wrong.status).toBe(400);
    const result = { content: [{ type: "text", text: "blue" }], details: { hue: 240 } };
    expect((await sendAnswer(runId, "c1", { result })).status).toBe(202);
    const state = stateOf(await allEvents(response));
    expect(state.tools.c1).toMatchObject({ state: "done", result });
    expect(script.requests[1]?.messages.at(-1)).toMatchObject({
      role: "toolResult",
      content: [{ type: "text", text: "blue" }],
    });
  });
});

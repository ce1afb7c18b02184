import { afterEach, describe, expect, it } from "vitest";
import { call, calls, scripted } from "@/lib/agent/testing/scripted-stream";
import { getCurrentSystemMessage } from "@/lib/ai/transcript";
import type { RunEvent } from "@/lib/run/events";
import { foldRunEvent, initialRunState } from "@/lib/run/fold";
import { replaceRuntime } from "@/lib/server/runtime";
import {
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
const stateOf = (events: RunEvent[]) => events.reduce(foldRunEvent, initialRunState());
const planCall = (id: string, ...steps: [string, string][]) =>
  calls([call(id, "update_plan", { plan: steps.map(([text, status]) => ({ text, status })) })]);

function start(script: ReturnType<typeof scripted>, change: Record<string, unknown> = {}) {
  useRuntime([scriptedProvider(script.streamFn)]);
  return startRun(runBody(change));
}

const sectionsIn = (script: ReturnType<typeof scripted>, request: number) =>
  getCurrentSystemMessage(script.requests[request]?.messages ?? [])?.sections;

describe("a plan", () => {
  it("reaches the model as one section that is replaced, and goes when it is empty", async () => {
    const script = scripted([
      planCall("p1", ["Look", "in_progress"], ["Write", "pending"]),
      planCall("p2", ["Look", "done"], ["Write", "in_progress"]),
      planCall("p3"),
      "Done.",
    ]);
    const state = stateOf(await allEvents(await start(script)));
    expect(sectionsIn(script, 0)).toBeUndefined();
    expect(sectionsIn(script, 1)?.plan).toMatch(/\n\[~\] Look\n\[ \] Write$/);
    expect(sectionsIn(script, 2)?.plan).toMatch(/\n\[x\] Look\n\[~\] Write$/);
    expect(sectionsIn(script, 3)).toBeUndefined();
    expect(state.tools.p2?.result?.details).toEqual({
      plan: [
        { text: "Look", status: "done" },
        { text: "Write", status: "in_progress" },
      ],
    });
  });

  it("is known in the next run of the conversation, and said no second time", async () => {
    const first = scripted([planCall("p1", ["Look", "done"]), "Done."]);
    const { messages } = stateOf(await allEvents(await start(first)));
    const earlier = messages.map((entry) => entry.message);
    expect(earlier.filter((message) => message.role === "system")).toHaveLength(1);
    const second = scripted([calls([call("c1", "calculate", { expression: "1" })]), "Again."]);
    const asked = { role: "user", content: "go on", timestamp: 2 };
    const context = {
      messages: [{ role: "user", content: "hi", timestamp: 1 }, ...earlier, asked],
    };
    const after = stateOf(await allEvents(await start(second, { context })));
    expect(sectionsIn(second, 0)?.plan).toContain("[x] Look");
    expect(after.messages.some((entry) => entry.message.role === "system")).toBe(false);
  });

  it("cannot have a status of its own", async () => {
    const script = scripted([planCall("p1", ["Look", "soon"]), "Done."]);
    const state = stateOf(await allEvents(await start(script)));
    expect(state.tools.p1?.state).toBe("error");
    expect(sectionsIn(script, 1)).toBeUndefined();
  });
});

describe("always allowing", () => {
  it("asks once in a run", async () => {
    const sum = (id: string) => calls([call(id, "calculate", { expression: "1 + 1" })]);
    const script = scripted([sum("c1"), sum("c2"), "Done."]);
    const response = await start(script, { tools: { calculate: "ask" } });
    await nextOf(eventsOf(await readEvents(runId)), "tool_approval_requested");
    const answer = { decision: "allow", always: true };
    expect((await sendAnswer(runId, "c1", answer)).status).toBe(202);
    const events = await allEvents(response);
    expect(events.filter(({ type }) => type === "tool_approval_requested")).toHaveLength(1);
    expect(stateOf(events).tools.c2?.state).toBe("done");
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { user } from "@/lib/agent/testing/harness";
import { says, scripted } from "@/lib/agent/testing/scripted-stream";
import type { RunEvent } from "@/lib/run/events";
import { foldRunEvent, initialRunState } from "@/lib/run/fold";
import { replaceRuntime } from "@/lib/server/runtime";
import {
  abortRun,
  allEvents,
  eventsOf,
  hold,
  nextOf,
  readEvents,
  runBody,
  scriptedProvider,
  sendMessage,
  startRun,
  useRuntime,
} from "../testing/run-api";

afterEach(() => {
  replaceRuntime(undefined);
  vi.useRealTimers();
});

const seqs = (events: RunEvent[]): number[] => events.map((event) => event.seq);
const upTo = (last: number, from = 1): number[] =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index);
const stateOf = (events: RunEvent[]) => events.reduce(foldRunEvent, initialRunState());
const lastMessage = (events: RunEvent[]) => stateOf(events).messages.at(-1)?.message;

describe("POST /api/runs", () => {
  it("answers with the run's events, numbered without gaps, to its end", async () => {
    useRuntime([scriptedProvider(scripted(["Hello."]).streamFn)]);
    const response = await startRun(runBody());
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
    const events = await allEvents(response);
    expect(seqs(events)).toEqual(upTo(events.length));
    expect(events.at(-1)?.type).toBe("agent_end");
    expect(stateOf(events)).toMatchObject({ status: "ended", interrupted: false });
    expect(lastMessage(events)).toMatchObject({
      role: "assistant",
      content: [{ type: "text", text: "Hello." }],
      stopReason: "stop",
    });
  });

  it("sends prompt and transcript to the model and adds no message for them", async () => {
    const script = scripted(["Hello."]);
    useRuntime([scriptedProvider(script.streamFn)]);
    const context = { systemPrompt: "Be brief.", messages: [user("hi")] };
    const events = await allEvents(
      await startRun(runBody({ context, tools: { calculate: "auto" } })),
    );
    expect(script.requests[0]?.messages.map((message) => message.role)).toEqual(["system", "user"]);
    expect(script.requests[0]?.messages[0]).toMatchObject({
      content: "Be brief.",
      toolsAdded: [{ name: "calculate" }],
    });
    expect(stateOf(events).messages).toHaveLength(1);
  });

  it("starts once when the same id is posted twice, whatever the second body says", async () => {
    const gate = hold();
    const script = scripted([says("Hello.", { beforeEnd: gate.wait })]);
    useRuntime([scriptedProvider(script.streamFn)]);
    const [first, second] = await Promise.all([startRun(runBody()), startRun(runBody())]);
    const third = await startRun(runBody({ context: { messages: [user("something else")] } }));
    gate.open();
    const logs = await Promise.all([first, second, third].map(allEvents));
    expect(logs[1]).toEqual(logs[0]);
    expect(logs[2]).toEqual(logs[0]);
    expect(await allEvents(await startRun(runBody()))).toEqual(logs[0]);
    expect(script.requests).toHaveLength(1);
  });

  it("ends the log with what went wrong when the model layer breaks", async () => {
    useRuntime([
      scriptedProvider(() => {
        throw new Error("broken inside");
      }),
    ]);
    const events = await allEvents(await startRun(runBody()));
    expect(events.at(-1)?.type).toBe("agent_end");
    expect(lastMessage(events)).toMatchObject({ stopReason: "error" });
  });

  it.each([
    ["not JSON", "{", 400, "body"],
    ["no object", "5", 400, "body"],
    [
      "a role that is none",
      runBody({ context: { messages: [{ role: "x" }] } }),
      400,
      "context.messages.0.role",
    ],
    ["an unknown level", runBody({ thinkingLevel: "lots" }), 400, "thinkingLevel"],
    [
      "a transcript that ends with an answer",
      runBody({
        context: {
          messages: [
            {
              role: "assistant",
              content: [],
              api: "a",
              provider: "p",
              model: "m",
              usage: {
                input: 0,
                output: 0,
                cacheRead: 0,
                cacheWrite: 0,
                totalTokens: 0,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
              },
              stopReason: "stop",
              timestamp: 1,
            },
          ],
        },
      }),
      400,
      "context.messages",
    ],
    [
      "an unknown provider",
      runBody({ model: { provider: "nobody", id: "m" } }),
      400,
      "model.provider",
    ],
    ["an unknown model", runBody({ model: { provider: "test", id: "m" } }), 400, "model.id"],
  ])("refuses %s, names the field and starts nothing", async (_what, body, status, field) => {
    const script = scripted([]);
    useRuntime([scriptedProvider(script.streamFn)]);
    const response = await startRun(body);
    expect(response.status).toBe(status);
    const { error } = (await response.json()) as { error: Record<string, string> };
    expect(error.field).toBe(field);
    expect(error.code).toEqual(expect.any(String));
    expect(error.message).toEqual(expect.any(String));
    expect((await readEvents("run-00000001")).status).toBe(404);
    expect(script.requests).toEqual([]);
  });

  it("refuses a body that is too large before and while reading it", async () => {
    useRuntime([scriptedProvider(scripted([]).streamFn)]);
    const declared = await startRun(runBody(), {
      headers: { "content-length": String(65 * 1024 * 1024) },
    });
    expect(declared.status).toBe(413);
    const huge = runBody({ context: { messages: [user("x".repeat(65 * 1024 * 1024))] } });
    const measured = await startRun(huge);
    expect(measured.status).toBe(413);
    expect(await measured.json()).toMatchObject({ error: { code: "too-large", field: "body" } });
    expect((await readEvents("run-00000001")).status).toBe(404);
  });

  it.each<[Record<string, string>, number]>([
    [{ "content-type": "text/plain" }, 415],
    [{ origin: "https://evil.example" }, 403],
    [{ host: "evil.example:3000" }, 403],
  ])("turns a page of another site away: %j", async (headers, status) => {
    useRuntime([scriptedProvider(scripted([]).streamFn)]);
    expect((await startRun(runBody(), { headers })).status).toBe(status);
    expect((await readEvents("run-00000001")).status).toBe(404);
  });
});

describe("GET /api/runs/{runId}/events", () => {
  it("goes on after any number, by address or header", async () => {
    useRuntime([scriptedProvider(scripted(["Hello."]).streamFn)]);
    const events = await allEvents(await startRun(runBody()));
    for (let after = 0; after <= events.length; after++) {
      const rest = await allEvents(await readEvents("run-00000001", `?after=${after}`));
      expect(rest).toEqual(events.slice(after));
    }
    const byHeader = await readEvents("run-00000001", "", { headers: { "last-event-id": "3" } });
    expect(await allEvents(byHeader)).toEqual(events.slice(3));
  });

  it("refuses a number that is none and a run that is not known", async () => {
    useRuntime([scriptedProvider(scripted([]).streamFn)]);
    expect((await readEvents("run-00000001", "?after=-1")).status).toBe(400);
    const unknown = await readEvents("run-00000001");
    expect(unknown.status).toBe(404);
    expect(await unknown.json()).toMatchObject({ error: { code: "unknown-run" } });
  });

  it("serves a reader that is cut and comes back, and one that came late, the same log", async () => {
    const gate = hold();
    useRuntime([scriptedProvider(scripted([says("Hello.", { beforeEnd: gate.wait })]).streamFn)]);
    const first = eventsOf(await startRun(runBody()));
    const seen = [await nextOf(first, "message_update")];
    await first.return(undefined);

    const late = await readEvents("run-00000001");
    const again = await readEvents("run-00000001", `?after=${seen[0]?.seq}`);
    gate.open();
    const whole = await allEvents(late);
    expect(await allEvents(again)).toEqual(whole.slice(seen[0]?.seq));
    expect(lastMessage(whole)).toMatchObject({ content: [{ text: "Hello." }], stopReason: "stop" });
  });

  it("keeps a finished run for the time that was set, and then says that it is gone", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    useRuntime([scriptedProvider(scripted(["Hello."]).streamFn)], { RILL_RUN_KEEP_MS: "5000" });
    await allEvents(await startRun(runBody()));
    await vi.advanceTimersByTimeAsync(4999);
    expect((await readEvents("run-00000001")).status).toBe(200);
    await vi.advanceTimersByTimeAsync(1);
    expect((await readEvents("run-00000001")).status).toBe(404);
    expect((await startRun(runBody())).status).toBe(404);
  });
});

describe("a run without readers", () => {
  it("goes on when its reader leaves", async () => {
    const gate = hold();
    const script = scripted([says("Hello.", { beforeEnd: gate.wait })]);
    useRuntime([scriptedProvider(script.streamFn)]);
    const leave = new AbortController();
    const events = eventsOf(await startRun(runBody(), { signal: leave.signal }));
    await nextOf(events, "message_update");
    leave.abort();
    gate.open();
    expect(lastMessage(await allEvents(await readEvents("run-00000001")))).toMatchObject({
      stopReason: "stop",
    });
    expect(script.requests[0]?.options.signal?.aborted).toBe(false);
  });

  it("is stopped when nobody has read it for the time that was set", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const script = scripted([says("Hello.", { beforeEnd: hold().wait, stopReason: "aborted" })]);
    useRuntime([scriptedProvider(script.streamFn)], { RILL_RUN_ORPHAN_MS: "60000" });
    const leave = new AbortController();
    const events = eventsOf(await startRun(runBody(), { signal: leave.signal }));
    await nextOf(events, "message_update");
    await vi.advanceTimersByTimeAsync(120_000);
    expect(script.requests[0]?.options.signal?.aborted).toBe(false);
    leave.abort();
    await events.return(undefined);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(script.requests[0]?.options.signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(script.requests[0]?.options.signal?.aborted).toBe(true);
    expect(lastMessage(await allEvents(await readEvents("run-00000001")))).toMatchObject({
      stopReason: "aborted",
      content: [{ type: "text", text: "Hello." }],
    });
  });

  it("is marked as interrupted for its readers when the server stops", async () => {
    const script = scripted([says("Hello.", { beforeEnd: hold().wait, stopReason: "aborted" })]);
    const { registry } = useRuntime([scriptedProvider(script.streamFn)]);
    const response = await startRun(runBody());
    const late = await readEvents("run-00000001");
    await nextOf(eventsOf(late), "message_update");
    registry.interruptAll();
    expect(stateOf(await allEvents(response))).toMatchObject({
      status: "ended",
      interrupted: true,
    });
    expect(script.requests[0]?.options.signal?.aborted).toBe(true);
  });
});

describe("commands to a run", () => {
  it("stops it, keeps what had arrived, and ends the log", async () => {
    const script = scripted([says("Half", { beforeEnd: hold().wait, stopReason: "aborted" })]);
    useRuntime([scriptedProvider(script.streamFn)]);
    const events = eventsOf(await startRun(runBody()));
    await nextOf(events, "message_update");
    const stopped = await abortRun("run-00000001");
    expect([stopped.status, await stopped.text()]).toEqual([204, ""]);
    await nextOf(events, "agent_end");
    expect(await events.next()).toMatchObject({ done: true });
    const log = await allEvents(await readEvents("run-00000001"));
    expect(lastMessage(log)).toMatchObject({ stopReason: "aborted", content: [{ text: "Half" }] });
    expect((await abortRun("run-00000001")).status).toBe(204);
    expect((await abortRun("run-unknown-1")).status).toBe(404);
  });

  it("steers it into another turn, and follows up when it is done", async () => {
    const gate = hold();
    const script = scripted([says("One.", { beforeEnd: gate.wait }), "Two.", "Three."]);
    useRuntime([scriptedProvider(script.streamFn)]);
    const response = await startRun(runBody());
    const followUp = { message: user("and then"), mode: "followUp" };
    expect((await sendMessage("run-00000001", followUp)).status).toBe(202);
    expect(
      (await sendMessage("run-00000001", { message: user("wait"), mode: "steer" })).status,
    ).toBe(202);
    gate.open();
    const { messages } = stateOf(await allEvents(response));
    expect(messages.map(({ message }) => message.role)).toEqual([
      "assistant",
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
    expect(messages[1]?.message).toMatchObject({ content: "wait" });
    expect((await sendMessage("run-00000001", followUp)).status).toBe(409);
    expect((await sendMessage("run-unknown-1", followUp)).status).toBe(404);
    expect((await sendMessage("run-00000001", { mode: "steer" })).status).toBe(400);
  });

  it("tells what was still waiting when it was stopped", async () => {
    const script = scripted([says("One.", { beforeEnd: hold().wait, stopReason: "aborted" })]);
    useRuntime([scriptedProvider(script.streamFn)]);
    const response = await startRun(runBody());
    await nextOf(eventsOf(await readEvents("run-00000001")), "message_update");
    await sendMessage("run-00000001", { message: user("later"), mode: "followUp" });
    await abortRun("run-00000001");
    expect(stateOf(await allEvents(response)).queued).toEqual([user("later")]);
  });
});

import { beforeEach, describe, expect, it } from "vitest";
import type { RunEvent } from "@/lib/run/events";
import { readConversation } from "./db/entries";
import { createRunClient } from "./run-client";
import { startRunSession } from "./run-session";
import { FakePage } from "./testing/fake-page";
import { errorAnswer, FakeServer } from "./testing/fake-server";
import { freshDatabase } from "./testing/fresh-database";
import { numbered, textAnswer, textRun, toolRun } from "./testing/scripted-run";
import {
  allEntries,
  answerText,
  CONVERSATION,
  finalRows,
  MODEL,
  QUESTION,
  RUN,
  reached,
  startRun,
  until,
} from "./testing/session-tab";
import { settled } from "./testing/until";

beforeEach(freshDatabase);

describe("a connection that is not well", () => {
  it("asks for the rest after a cut and after a proper end that came too early", async () => {
    const log = toolRun("x");
    const whole = await finalRows(log);
    await freshDatabase();
    const server = new FakeServer();
    server.releaseAtStart = 7;
    server.script = () => log;
    const { session } = await startRun(server);
    await until(session, reached(7));
    server.runs.get(RUN)?.cut();
    server.runs.get(RUN)?.release(25);
    await until(session, reached(25));
    server.runs.get(RUN)?.close();
    server.runs.get(RUN)?.release();
    await session.finished;
    expect(await allEntries()).toEqual(whole);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/runs",
      `GET /api/runs/${RUN}/events?after=7`,
      `GET /api/runs/${RUN}/events?after=25`,
    ]);
  });

  it("passes over what it is told twice and asks again where numbers are missing", async () => {
    const log = toolRun("x");
    const whole = await finalRows(log);
    await freshDatabase();
    const server = new FakeServer();
    let faults = 2;
    server.releaseAtStart = 0;
    server.script = () => log;
    const { session } = await startRun(server);
    await settled();
    const run = server.runs.get(RUN);
    if (!run) throw new Error("not started");
    run.resend = (events) => {
      if (faults-- <= 0) return events;
      return [...events.slice(0, 6), ...events.slice(3, 9), ...events.slice(12)];
    };
    run.release();
    await session.finished;
    expect(faults).toBeLessThan(0);
    expect(await allEntries()).toEqual(whole);
  });

  it("posts the same id again when the answer to its start was lost", async () => {
    const server = new FakeServer();
    server.script = () => textRun("a1", "Hello there.");
    const lost = (): Response => {
      throw new TypeError("fetch failed");
    };
    server.overrides.push(lost, lost);
    const { session } = await startRun(server);
    expect(await session.finished).toBe("here");
    expect(server.started.map(({ runId }) => runId)).toEqual([RUN, RUN, RUN]);
    expect(answerText((await allEntries()).at(-1))).toBe("Hello there.");
  });

  it("gives a start up after five attempts, with the question kept and the failure stored", async () => {
    const server = new FakeServer();
    for (let attempt = 0; attempt < 5; attempt++) {
      server.overrides.push(() => {
        throw new TypeError("fetch failed");
      });
    }
    const { session } = await startRun(server);
    await session.finished;
    expect(server.started).toHaveLength(5);
    expect(session.snapshot()).toMatchObject({
      over: true,
      connection: "lost",
      failure: { class: "network", message: "Rill's server cannot be reached." },
    });
    const stored = await readConversation(CONVERSATION);
    expect(stored?.branch.map(({ id }) => id)).toEqual(["question"]);
    expect(stored?.conversation.activeRun).toBeUndefined();
    expect(stored?.conversation.failure).toEqual({
      class: "network",
      message: "Rill's server cannot be reached.",
      runId: RUN,
      entryId: "question",
    });
  });

  it.each([
    [400, "invalid-request", "invalid-request"],
    [401, "access-token", "auth"],
    [413, "too-large", "invalid-request"],
  ])("does not repeat a start that was refused with %i", async (status, code, errorClass) => {
    const server = new FakeServer();
    server.overrides.push(() => errorAnswer(status, code, "No, because.", "context.messages"));
    const { session } = await startRun(server);
    await session.finished;
    expect(server.started).toHaveLength(1);
    expect(session.snapshot().failure).toEqual({
      class: errorClass,
      status,
      code,
      message: "No, because.",
      field: "context.messages",
    });
  });

  it("keeps what arrived of a run that the server has forgotten, and says so", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 7;
    server.script = () => textRun("a1", "Hello there.");
    const { session } = await startRun(server);
    await until(session, reached(7));
    const run = server.runs.get(RUN);
    server.runs.clear();
    run?.cut();
    await session.finished;
    const last = (await allEntries()).at(-1);
    expect(last?.message).toMatchObject({
      role: "assistant",
      content: [{ type: "text", text: "Hello " }],
      stopReason: "error",
      errorMessage: "Rill's server no longer knows this run, so the rest of the answer is lost.",
      diagnostics: [{ details: { class: "ended-early" } }],
    });
    expect((await readConversation(CONVERSATION))?.conversation.leafId).toBe("a1");
  });

  it("adds a failed answer where the run was lost between two messages", async () => {
    const log = toolRun("x");
    const afterResults = log.findIndex((event) => event.type === "turn_end") + 1;
    const server = new FakeServer();
    server.releaseAtStart = afterResults;
    server.script = () => log;
    const { session } = await startRun(server);
    await until(session, reached(afterResults));
    const run = server.runs.get(RUN);
    server.runs.clear();
    run?.cut();
    await session.finished;
    const rows = await allEntries();
    expect(rows.map(({ id }) => id)).toEqual([
      "question",
      "x-a1",
      "x-r1",
      "x-r2",
      `interrupted-${RUN}`,
    ]);
    expect(rows.at(-1)?.message).toMatchObject({
      stopReason: "error",
      content: [],
      model: "demo-1",
    });
  });

  it("leaves a whole answer as it is when only the end of the log was lost", async () => {
    const log = textRun("a1", "Hello there.");
    const server = new FakeServer();
    server.releaseAtStart = log.length - 2;
    server.script = () => log;
    const { session } = await startRun(server);
    await until(session, reached(log.length - 2));
    const run = server.runs.get(RUN);
    server.runs.clear();
    run?.cut();
    await session.finished;
    const rows = await allEntries();
    expect(rows).toHaveLength(2);
    expect(rows[1]?.message).toMatchObject({ stopReason: "stop" });
  });

  it("marks the answer when the server says that it stopped before the end", async () => {
    const server = new FakeServer();
    server.script = () =>
      numbered([
        { type: "agent_start" },
        ...textAnswer("a1", "Hello there.").slice(0, 5),
        { type: "agent_end", messages: [], interrupted: true },
      ]);
    const { session } = await startRun(server);
    await session.finished;
    expect((await allEntries()).at(-1)?.message).toMatchObject({
      content: [{ type: "text", text: "Hello " }],
      stopReason: "error",
      diagnostics: [{ details: { class: "ended-early" } }],
    });
  });

  it("gives up a log that it cannot read, after three attempts, with what arrived", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 7;
    server.script = () => textRun("a1", "Hello there.");
    const { session } = await startRun(server);
    await until(session, reached(7));
    const run = server.runs.get(RUN);
    if (!run) throw new Error("not started");
    run.resend = (events) =>
      events.map((event) => ({ ...event, messageId: 7 }) as unknown as RunEvent);
    run.release();
    await session.finished;
    expect((await allEntries()).at(-1)?.message).toMatchObject({
      content: [{ type: "text", text: "Hello " }],
      stopReason: "error",
      diagnostics: [{ details: { class: "unknown" } }],
    });
    expect(server.requests).toHaveLength(3);
  });

  it("takes a connection without a sign of life for dead", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 5;
    server.script = () => textRun("a1", "Hello there.");
    const page = new FakePage();
    const client = createRunClient({ fetch: server.fetch, silenceMs: 1 });
    const attached: number[] = [];
    const session = startRunSession({
      conversationId: CONVERSATION,
      runId: RUN,
      model: MODEL,
      page,
      client: {
        ...client,
        attach: (runId, afterSeq, signal) => {
          attached.push(afterSeq);
          server.runs.get(RUN)?.release();
          return client.attach(runId, afterSeq, signal);
        },
      },
      start: {
        request: {
          runId: RUN,
          model: MODEL,
          thinkingLevel: "off",
          context: { messages: [QUESTION] },
        },
      },
    });
    await until(session, (snapshot) => snapshot.over);
    expect(attached).toEqual([5]);
  });

  it("asks again at once when the browser comes back online", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 5;
    server.script = () => textRun("a1", "Hello there.");
    const { session, page } = await startRun(server);
    await until(session, reached(5));
    page.comeOnline();
    await settled();
    server.runs.get(RUN)?.release();
    await session.finished;
    expect(server.requests.at(-1)?.path).toBe(`/api/runs/${RUN}/events?after=5`);
    expect(answerText((await allEntries()).at(-1))).toBe("Hello there.");
  });
});

import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import type { UserMessage } from "@/lib/ai/types";
import type { RunEvent } from "@/lib/run/events";
import { readConversation, storeRunStart } from "./db/entries";
import { openDatabase } from "./db/open";
import type { EntryRow } from "./db/rows";
import { createRunClient } from "./run-client";
import { type RunSession, type RunSnapshot, startRunSession } from "./run-session";
import { FakePage } from "./testing/fake-page";
import { errorAnswer, FakeServer } from "./testing/fake-server";
import { freshDatabase } from "./testing/fresh-database";
import { assistantMessage, numbered, textAnswer, textRun, toolRun } from "./testing/scripted-run";
import { settled, until as untilState } from "./testing/until";

const CONVERSATION = "conversation-1";
const RUN = "run-00000001";
const MODEL = { provider: "demo", id: "demo-1" };
const QUESTION: UserMessage = {
  role: "user",
  content: "What is 6*7?",
  timestamp: 1_700_000_000_000,
};

beforeEach(freshDatabase);

interface Tab {
  page: FakePage;
  session: RunSession;
}

async function startRun(server: FakeServer, page = new FakePage()): Promise<Tab> {
  const { entry } = await storeRunStart({
    conversationId: CONVERSATION,
    runId: RUN,
    model: MODEL,
    thinkingLevel: "off",
    now: page.now(),
    newConversation: { title: "What is 6*7?" },
    entry: { id: "question", message: QUESTION },
    parentId: null,
  });
  const session = startRunSession({
    conversationId: CONVERSATION,
    runId: RUN,
    model: { ...MODEL, api: "demo" },
    client: createRunClient({ fetch: server.fetch }),
    page,
    start: {
      request: {
        runId: RUN,
        model: MODEL,
        thinkingLevel: "off",
        context: { messages: [QUESTION] },
      },
    },
    ...(entry && { base: entry }),
  });
  return { page, session };
}

/** What a page does that opens the conversation after a reload; undefined when no run is active. */
async function reopen(server: FakeServer, page = new FakePage()): Promise<Tab | undefined> {
  const stored = await readConversation(CONVERSATION);
  if (!stored?.run) return undefined;
  const base = stored.branch.find(({ id }) => id === stored.conversation.activeRun?.baseId);
  const session = startRunSession({
    conversationId: CONVERSATION,
    runId: RUN,
    model: { ...MODEL, api: "demo" },
    client: createRunClient({ fetch: server.fetch }),
    page,
    restored: stored.run,
    ...(base && { base }),
  });
  return { page, session };
}

function until(
  session: RunSession,
  condition: (snapshot: RunSnapshot) => boolean,
): Promise<RunSnapshot> {
  return untilState({ getState: session.snapshot, subscribe: session.subscribe }, condition);
}

const reached = (seq: number) => (snapshot: RunSnapshot) => snapshot.state.lastSeq >= seq;

async function allEntries(): Promise<EntryRow[]> {
  const rows = await (await openDatabase()).getAll("entries");
  return rows.sort((left, right) => left.seq - right.seq);
}

function answerText(entry: EntryRow | undefined): string {
  if (entry?.message.role !== "assistant") return "";
  return entry.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

async function finalRows(log: RunEvent[]): Promise<EntryRow[]> {
  await freshDatabase();
  const server = new FakeServer();
  server.script = () => log;
  const { session } = await startRun(server);
  await session.finished;
  return allEntries();
}

describe("a run that goes well", () => {
  it("stores its messages as a chain below the question and frees the conversation", async () => {
    const server = new FakeServer();
    server.script = () => toolRun("x");
    const { session } = await startRun(server);
    expect(await session.finished).toBe("here");
    const rows = await allEntries();
    expect(rows.map(({ id, parentId, seq }) => [id, parentId, seq])).toEqual([
      ["question", null, 0],
      ["x-a1", "question", 1],
      ["x-r1", "x-a1", 2],
      ["x-r2", "x-r1", 3],
      ["x-a2", "x-r2", 4],
    ]);
    expect(rows.some((row) => "partial" in row || "live" in row)).toBe(false);
    const stored = await readConversation(CONVERSATION);
    expect(stored?.conversation).toMatchObject({ leafId: "x-a2", entryCount: 5 });
    expect(stored?.conversation.activeRun).toBeUndefined();
    expect(stored?.branch.map(({ id }) => id)).toEqual(rows.map(({ id }) => id));
    expect(await (await openDatabase()).getAll("runs")).toEqual([]);
  });

  it("has stored a finished message before it looks at the next event", async () => {
    const server = new FakeServer();
    const log = toolRun("x");
    const firstEnd = log.findIndex((event) => event.type === "message_end") + 1;
    server.script = () => log;
    const { session } = await startRun(server);
    const stored = await until(session, reached(firstEnd + 1)).then(allEntries);
    expect(stored.find(({ id }) => id === "x-a1")?.partial).toBeUndefined();
    expect(stored.map(({ id }) => id)).toContain("x-a1");
    await session.finished;
  });

  it("draws once a frame, however many events arrive, and keeps what did not change", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 0;
    server.script = () => toolRun("x");
    const page = new FakePage();
    page.autoDraw = false;
    const { session } = await startRun(server, page);
    const snapshots: RunSnapshot[] = [];
    session.subscribe((snapshot) => snapshots.push(snapshot));
    await settled();
    page.drawFrame();
    snapshots.length = 0;
    const run = server.runs.get(RUN);
    run?.release(16);
    await settled();
    expect(snapshots).toEqual([]);
    page.drawFrame();
    expect(snapshots.map(({ state }) => state.lastSeq)).toEqual([16]);
    run?.release(19);
    await settled();
    page.drawFrame();
    run?.release(20);
    await settled();
    page.drawFrame();
    expect(snapshots.map(({ state }) => state.lastSeq)).toEqual([16, 19, 20]);
    expect(snapshots[2]?.entries).toBe(snapshots[1]?.entries);
    expect(snapshots[1]?.entries.map(({ id }) => id)).toEqual(["x-a1"]);
    session.leave();
  });

  it("does not store the question again when the log tells it under another id", async () => {
    const server = new FakeServer();
    server.script = () =>
      numbered([
        { type: "agent_start" },
        { type: "message_start", messageId: "echo", message: { ...QUESTION } },
        { type: "message_end", messageId: "echo", message: { ...QUESTION } },
        ...textAnswer("a1", "42"),
        { type: "agent_end", messages: [] },
      ]);
    const { session } = await startRun(server);
    await session.finished;
    expect((await allEntries()).map(({ id, parentId }) => [id, parentId])).toEqual([
      ["question", null],
      ["a1", "question"],
    ]);
  });
});

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

describe("stop", () => {
  it("ends the run on the server and keeps the partial answer", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 7;
    server.script = () => textRun("a1", "Hello there.");
    server.onAbort = (run) => {
      run.continueWith(
        numbered(
          [
            {
              type: "message_end",
              messageId: "a1",
              message: assistantMessage([{ type: "text", text: "Hello " }], "aborted"),
            },
            { type: "agent_end", messages: [] },
          ],
          run.happened + 1,
        ),
      );
      run.release();
    };
    const { session } = await startRun(server);
    await until(session, reached(7));
    await session.stop();
    await session.finished;
    const last = (await allEntries()).at(-1);
    expect(last?.message).toMatchObject({
      content: [{ type: "text", text: "Hello " }],
      stopReason: "aborted",
    });
    expect(server.requests.map(({ path }) => path)).toEqual([
      "/api/runs",
      `/api/runs/${RUN}/abort`,
    ]);
  });

  it.each(["the server cannot be reached", "the server does not end it"])(
    "frees the conversation also when %s",
    async (reason) => {
      const server = new FakeServer();
      server.releaseAtStart = 7;
      server.script = () => textRun("a1", "Hello there.");
      const { session, page } = await startRun(server);
      await until(session, reached(7));
      if (reason === "the server cannot be reached") {
        server.overrides.push(() => {
          throw new TypeError("fetch failed");
        });
      }
      const stopped = session.stop();
      await settled();
      page.advance(5000);
      await stopped;
      await session.finished;
      expect((await allEntries()).at(-1)?.message).toMatchObject({
        content: [{ type: "text", text: "Hello " }],
        stopReason: "aborted",
      });
      expect(server.runs.get(RUN)?.readers).toBe(0);
    },
  );
});

describe("storage that fails", () => {
  it("shows the whole answer, says that it is not saved, and saves it once there is room", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 3;
    server.script = () => textRun("a1", "Hello there.");
    const { session } = await startRun(server);
    await until(session, reached(3));
    const database = await openDatabase();
    const transaction = database.transaction.bind(database);
    let full = true;
    Object.defineProperty(database, "transaction", {
      configurable: true,
      value: (...args: Parameters<typeof transaction>) => {
        if (full && args[1] === "readwrite") throw new DOMException("full", "QuotaExceededError");
        return transaction(...args);
      },
    });
    server.runs.get(RUN)?.release();
    const shown = await until(session, (snapshot) => snapshot.over && !!snapshot.unsaved);
    expect(shown.unsaved?.kind).toBe("quota");
    expect(shown.unsaved?.message).toBe("Not saved: the storage space of this browser is full.");
    expect(answerText(shown.entries.at(-1))).toBe("Hello there.");
    await expect(session.flush()).rejects.toMatchObject({ kind: "quota" });
    full = false;
    expect(await session.finished).toBe("here");
    expect(session.snapshot().unsaved).toBeUndefined();
    expect(answerText((await allEntries()).at(-1))).toBe("Hello there.");
  });

  it("does not bring back a conversation that was deleted meanwhile", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 7;
    server.script = () => textRun("a1", "Hello there.");
    const { session } = await startRun(server);
    await until(session, reached(7));
    const database = await openDatabase();
    await database.delete("conversations", CONVERSATION);
    server.runs.get(RUN)?.release();
    expect(await session.finished).toBe("elsewhere");
    expect(await database.getAll("conversations")).toEqual([]);
  });
});

describe("a reload", () => {
  const log = toolRun("x");

  /** Follows the run up to an event, closes the tab there, and lets the next one go on. */
  async function tabUntil(tab: Tab, server: FakeServer, seq: number, checkpoint: boolean) {
    server.runs.get(RUN)?.release(seq);
    await until(tab.session, reached(seq));
    if (checkpoint) {
      tab.page.advance(500);
      await tab.session.flush();
    }
    tab.session.leave();
    await settled();
  }

  it("goes on from the last checkpoint: every cut gives the rows of the uncut run", async () => {
    const whole = await finalRows(log);
    for (let cut = 1; cut < log.length; cut++) {
      for (const checkpoint of [true, false]) {
        await freshDatabase();
        const server = new FakeServer();
        server.releaseAtStart = 0;
        server.script = () => log;
        await tabUntil(await startRun(server), server, cut, checkpoint);
        const stored = await readConversation(CONVERSATION);
        const afterSeq = stored?.conversation.activeRun?.afterSeq ?? -1;
        if (checkpoint) expect(afterSeq).toBe(cut);
        const tab = await reopen(server);
        server.runs.get(RUN)?.release();
        await tab?.session.finished;
        expect(server.requests.at(-1)?.path).toBe(`/api/runs/${RUN}/events?after=${afterSeq}`);
        expect({ cut, checkpoint, rows: await allEntries() }).toEqual({
          cut,
          checkpoint,
          rows: whole,
        });
      }
    }
  });

  it("shows after it what was shown before it", async () => {
    for (let cut = 1; cut < log.length; cut++) {
      await freshDatabase();
      const server = new FakeServer();
      server.releaseAtStart = 0;
      server.script = () => log;
      const before = await startRun(server);
      await tabUntil(before, server, cut, true);
      const after = await readConversation(CONVERSATION);
      const { messages, ...state } = before.session.snapshot().state;
      expect(after?.run?.state).toEqual({
        ...state,
        // An answer's messages of other roles come whole; they are written when they end.
        messages: messages.filter(
          (message) => message.complete || message.message.role === "assistant",
        ),
      });
    }
  });

  it("loses and doubles nothing through any number of cuts, crashes and checkpoints", async () => {
    const whole = await finalRows(log);
    const step = fc.record({
      events: fc.integer({ min: 1, max: 12 }),
      end: fc.constantFrom("crash", "cut", "checkpoint and crash", "hide"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        await freshDatabase();
        const server = new FakeServer();
        server.releaseAtStart = 0;
        server.script = () => log;
        let tab: Tab | undefined = await startRun(server);
        await settled();
        let seq = 0;
        for (const { events, end } of steps) {
          seq = Math.min(seq + events, log.length - 1);
          server.runs.get(RUN)?.release(seq);
          await until(tab.session, reached(seq));
          if (end === "cut") server.runs.get(RUN)?.cut();
          else if (end === "hide") tab.page.hide();
          else {
            if (end === "checkpoint and crash") await tab.session.flush();
            tab.session.leave();
            await settled();
            tab = await reopen(server);
            if (!tab) throw new Error("the run is gone");
          }
        }
        server.runs.get(RUN)?.release();
        await tab.session.finished;
        expect(await allEntries()).toEqual(whole);
        expect((await readConversation(CONVERSATION))?.conversation).toMatchObject({
          leafId: "x-a2",
          entryCount: 5,
        });
      }),
      { numRuns: 40 },
    );
  });

  it("writes a checkpoint at most every half second, and one when the page is hidden", async () => {
    const server = new FakeServer();
    server.releaseAtStart = 5;
    server.script = () => textRun("a1", "Hello there, this is long.");
    const { session, page } = await startRun(server);
    await until(session, reached(5));
    const partial = async () => (await allEntries()).find(({ id }) => id === "a1");
    await settled();
    expect(await partial()).toBeUndefined();
    page.advance(499);
    await settled();
    expect(await partial()).toBeUndefined();
    page.advance(1);
    await settled();
    expect(answerText(await partial())).toBe("");
    server.runs.get(RUN)?.release(7);
    await until(session, reached(7));
    page.hide();
    await settled();
    expect(await partial()).toMatchObject({ partial: true, seq: 1, parentId: "question" });
    expect(answerText(await partial())).toBe("Hello ");
    expect((await readConversation(CONVERSATION))?.conversation.activeRun?.afterSeq).toBe(7);
    session.leave();
  });
});

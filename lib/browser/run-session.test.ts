import { beforeEach, describe, expect, it, vi } from "vitest";
import { readConversation } from "./db/entries";
import { openDatabase } from "./db/open";
import type { RunSnapshot } from "./run-session";
import { FakePage } from "./testing/fake-page";
import { FakeServer } from "./testing/fake-server";
import { freshDatabase } from "./testing/fresh-database";
import { assistantMessage, numbered, textAnswer, textRun, toolRun } from "./testing/scripted-run";
import {
  allEntries,
  answerText,
  CONVERSATION,
  QUESTION,
  RUN,
  reached,
  startRun,
  until,
} from "./testing/session-tab";
import { settled } from "./testing/until";

beforeEach(freshDatabase);

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

  it("writes one row for one message, and nothing that is stored already", async () => {
    const put = vi.spyOn(IDBObjectStore.prototype, "put");
    const server = new FakeServer();
    server.script = () => toolRun("x");
    const { session } = await startRun(server);
    await session.finished;
    const written = put.mock.contexts.map((store, index) => {
      const row = put.mock.calls[index]?.[0] as { id: string };
      return `${(store as IDBObjectStore).name} ${row.id}`;
    });
    expect(written.filter((name) => name.startsWith("entries"))).toEqual([
      "entries x-a1",
      "entries x-r1",
      "entries x-r2",
      "entries x-a2",
    ]);
    // Its start, its four messages, its end.
    expect(written.filter((name) => name.startsWith("conversations"))).toHaveLength(6);
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

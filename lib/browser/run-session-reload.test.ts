import fc from "fast-check";
import { beforeEach, describe, expect, it } from "vitest";
import { readConversation } from "./db/entries";
import { FakeServer } from "./testing/fake-server";
import { freshDatabase } from "./testing/fresh-database";
import { textRun, toolRun } from "./testing/scripted-run";
import {
  allEntries,
  answerText,
  CONVERSATION,
  finalRows,
  RUN,
  reached,
  reopen,
  type SessionTab,
  startRun,
  until,
} from "./testing/session-tab";
import { settled } from "./testing/until";

beforeEach(freshDatabase);

/** Each of these makes a hundred databases and more, which takes a while on a busy machine. */
const MANY_DATABASES_MS = 60_000;

describe("a reload", () => {
  const log = toolRun("x");

  /** Follows the run up to an event, closes the tab there, and lets the next one go on. */
  async function tabUntil(tab: SessionTab, server: FakeServer, seq: number, checkpoint: boolean) {
    server.runs.get(RUN)?.release(seq);
    await until(tab.session, reached(seq));
    if (checkpoint) {
      tab.page.advance(500);
      await tab.session.flush();
    }
    tab.session.leave();
    await settled();
  }

  it(
    "goes on from the last checkpoint: every cut gives the rows of the uncut run",
    async () => {
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
    },
    MANY_DATABASES_MS,
  );

  it(
    "shows after it what was shown before it",
    async () => {
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
    },
    MANY_DATABASES_MS,
  );

  it(
    "loses and doubles nothing through any number of cuts, crashes and checkpoints",
    async () => {
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
          let tab: SessionTab | undefined = await startRun(server);
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
    },
    MANY_DATABASES_MS,
  );

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

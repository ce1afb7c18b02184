import type { UserMessage } from "@/lib/ai/types";
import type { RunEvent } from "@/lib/run/events";
import { readConversation, storeRunStart } from "../db/entries";
import { openDatabase } from "../db/open";
import type { EntryRow } from "../db/rows";
import { createRunClient } from "../run-client";
import { type RunSession, type RunSnapshot, startRunSession } from "../run-session";
import { FakePage } from "./fake-page";
import { FakeServer } from "./fake-server";
import { freshDatabase } from "./fresh-database";
import { until as untilState } from "./until";

export const CONVERSATION = "conversation-1";
export const RUN = "run-00000001";
export const MODEL = { provider: "demo", id: "demo-1" };
export const QUESTION: UserMessage = {
  role: "user",
  content: "What is 6*7?",
  timestamp: 1_700_000_000_000,
};

export interface SessionTab {
  page: FakePage;
  session: RunSession;
}

/** Stores the question and follows its run, as sending a message does. */
export async function startRun(server: FakeServer, page = new FakePage()): Promise<SessionTab> {
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
export async function reopen(
  server: FakeServer,
  page = new FakePage(),
): Promise<SessionTab | undefined> {
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

export function until(
  session: RunSession,
  condition: (snapshot: RunSnapshot) => boolean,
): Promise<RunSnapshot> {
  return untilState({ getState: session.snapshot, subscribe: session.subscribe }, condition);
}

export const reached = (seq: number) => (snapshot: RunSnapshot) => snapshot.state.lastSeq >= seq;

/** All stored entries in order of creation. */
export async function allEntries(): Promise<EntryRow[]> {
  const rows = await (await openDatabase()).getAll("entries");
  return rows.sort((left, right) => left.seq - right.seq);
}

export function answerText(entry: EntryRow | undefined): string {
  if (entry?.message.role !== "assistant") return "";
  return entry.message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** The rows that a run leaves when nothing goes wrong. The database is left with them. */
export async function finalRows(log: RunEvent[]): Promise<EntryRow[]> {
  await freshDatabase();
  const server = new FakeServer();
  server.script = () => log;
  const { session } = await startRun(server);
  await session.finished;
  return allEntries();
}

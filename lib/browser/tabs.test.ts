import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConversationStore } from "./stores/conversation";
import { FakeLocks } from "./testing/fake-locks";
import { FakeServer } from "./testing/fake-server";
import { freshDatabase } from "./testing/fresh-database";
import { toolRun } from "./testing/scripted-run";
import type { Tab } from "./testing/tab";
import { until } from "./testing/until";

// Each tab loads modules of its own, as in a browser: only the database, the channel and the locks are shared.

interface LoadedTab extends Tab {
  close(): Promise<void>;
}

let server: FakeServer;
let tabs: LoadedTab[] = [];

beforeEach(async () => {
  await freshDatabase();
  server = new FakeServer();
  server.script = () => toolRun("x");
  tabs = [];
});

afterEach(async () => {
  for (const tab of tabs) await tab.close();
});

async function loadTab(conversationId?: string): Promise<LoadedTab> {
  vi.resetModules();
  const [{ openTab }, { closeChanges }, { closeDatabase }] = await Promise.all([
    import("./testing/tab"),
    import("./changes"),
    import("./db/open"),
  ]);
  const tab: LoadedTab = {
    ...openTab(server),
    async close() {
      tab.sessions.leaveAll();
      closeChanges();
      await closeDatabase();
    },
  };
  tabs.push(tab);
  await Promise.all([tab.models.getState().load(), tab.settings.getState().load()]);
  await tab.conversations.getState().load();
  await tab.conversation.getState().open(conversationId);
  return tab;
}

const shown = (state: ConversationStore) => state.entries.map(({ id }) => id).slice(1);
const WHOLE = ["x-a1", "x-r1", "x-r2", "x-a2"];

describe.each([
  { name: "with Web Locks", locks: true },
  { name: "without Web Locks", locks: false },
])("two tabs on one conversation, $name", ({ locks }) => {
  beforeEach(() => {
    vi.stubGlobal("navigator", locks ? { locks: new FakeLocks() } : {});
  });

  async function begin(released: number): Promise<{ first: LoadedTab; id: string }> {
    server.releaseAtStart = released;
    const first = await loadTab();
    const id = await first.conversation.getState().send({ text: "What is 6*7?" });
    await until(first.conversation, ({ run }) => run?.state.lastSeq === released);
    first.page.advance(500);
    await first.sessions.get(id)?.flush();
    return { first, id };
  }

  const release = (seq?: number): void => {
    for (const run of server.runs.values()) run.release(seq);
  };

  it("show the same run, and store each message once", async () => {
    const { first, id } = await begin(8);
    const second = await loadTab(id);
    expect(second.conversation.getState()).toMatchObject({
      busy: true,
      run: { state: { lastSeq: 8 } },
    });
    release(20);
    await until(second.conversation, (state) => shown(state).includes("x-a1"));
    release();
    const ends = await Promise.all(
      [first, second].map((tab) => until(tab.conversation, (state) => !state.busy)),
    );
    for (const state of ends) expect(shown(state)).toEqual(WHOLE);
    expect(server.started.length).toBe(1);
    const { readConversation } = await import("./db/entries");
    expect((await readConversation(id))?.conversation.entryCount).toBe(5);
  });

  it("take over from each other when one is closed", async () => {
    const { first, id } = await begin(8);
    const second = await loadTab(id);
    await first.close();
    release();
    const state = await until(second.conversation, ({ busy }) => !busy);
    expect(shown(state)).toEqual(WHOLE);
    const attached = server.requests.filter(({ method }) => method === "GET");
    expect(attached.at(-1)?.path).toMatch(/after=8$/);
  });

  it("refuse a second run beside the first", async () => {
    const { id } = await begin(8);
    const second = await loadTab(id);
    await expect(second.conversation.getState().send({ text: "Me too" })).rejects.toThrow(
      "still being written",
    );
    release();
    const state = await until(second.conversation, ({ busy }) => !busy);
    expect(shown(state)).toEqual(WHOLE);
  });
});

describe("tabs that are open side by side", () => {
  beforeEach(() => {
    vi.stubGlobal("navigator", { locks: new FakeLocks() });
  });

  it("ask the server once: a tab that only follows has no connection of its own", async () => {
    server.releaseAtStart = 8;
    const first = await loadTab();
    const id = await first.conversation.getState().send({ text: "What is 6*7?" });
    await until(first.conversation, ({ run }) => run?.state.lastSeq === 8);
    await first.sessions.get(id)?.flush();
    const second = await loadTab(id);
    await until(second.conversation, ({ busy }) => busy);
    for (const run of server.runs.values()) run.release();
    await until(second.conversation, ({ busy }) => !busy);
    expect(server.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /api/runs",
    ]);
  });

  it("can stop a run that another one follows", async () => {
    server.releaseAtStart = 8;
    server.onAbort = (run) => run.release();
    const first = await loadTab();
    const id = await first.conversation.getState().send({ text: "What is 6*7?" });
    await until(first.conversation, ({ run }) => run?.state.lastSeq === 8);
    await first.sessions.get(id)?.flush();
    const second = await loadTab(id);
    await second.conversation.getState().stop();
    expect(second.conversation.getState().busy).toBe(false);
    expect(server.requests.at(-1)?.path).toMatch(/abort$/);
    await until(first.conversation, ({ busy }) => !busy);
  });

  it("hear of each other's conversations, messages, names, deletions and settings", async () => {
    const first = await loadTab();
    const second = await loadTab();
    const id = await first.conversation.getState().send({ text: "Hello" });
    await until(second.conversations, ({ list }) => list.length === 1);
    await second.conversation.getState().open(id);
    await until(second.conversation, (state) => !state.busy && shown(state).length === 4);
    await until(first.conversation, ({ busy }) => !busy);
    await second.conversations.getState().rename(id, "Renamed");
    await until(first.conversations, ({ list }) => list[0]?.title === "Renamed");
    await first.settings.getState().set({ theme: "dark" });
    await until(second.settings, ({ theme }) => theme === "dark");
    await second.conversations.getState().remove(id);
    await until(first.conversation, ({ status }) => status === "missing");
    expect(first.conversations.getState().list).toEqual([]);
    await expect(first.conversation.getState().send({ text: "Again" })).rejects.toThrow();
    const { listConversations } = await import("./db/conversations");
    expect(await listConversations()).toEqual([]);
  });
});

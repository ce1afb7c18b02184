import { openDB } from "idb";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { UserMessage } from "@/lib/ai/types";
import { freshDatabase } from "../testing/fresh-database";
import { assistantMessage } from "../testing/scripted-run";
import { storeCheckpoint } from "./checkpoint";
import {
  getConversation,
  listConversations,
  removeConversation,
  updateConversation,
} from "./conversations";
import { type RunStart, readConversation, storeRunStart } from "./entries";
import {
  closeDatabase,
  onStorageNotice,
  openDatabase,
  type StorageNotice,
  writeDatabase,
} from "./open";
import { listBadRows } from "./parse-row";
import type { EntryRow } from "./rows";
import { DATABASE_NAME, DATABASE_VERSION } from "./schema";

const MODEL = { provider: "demo", id: "demo-1" };
const message = (content: string): UserMessage => ({ role: "user", content, timestamp: 5 });

beforeEach(freshDatabase);

function start(changes: Partial<RunStart> = {}): ReturnType<typeof storeRunStart> {
  return storeRunStart({
    conversationId: "c1",
    runId: "run-1",
    model: MODEL,
    thinkingLevel: "off",
    now: 100,
    newConversation: { title: "Hello" },
    entry: { id: "u1", message: message("Hello") },
    parentId: null,
    ...changes,
  });
}

function answer(changes: Partial<EntryRow> = {}): EntryRow {
  return {
    id: "a1",
    conversationId: "c1",
    parentId: "u1",
    seq: 1,
    kind: "message",
    message: assistantMessage([{ type: "text", text: "Hi" }]),
    runId: "run-1",
    createdAt: 200,
    ...changes,
  };
}

function checkpoint(changes: Partial<Parameters<typeof storeCheckpoint>[0]> = {}) {
  return storeCheckpoint({
    conversationId: "c1",
    runId: "run-1",
    afterSeq: 10,
    finished: [answer()],
    partial: [],
    path: ["u1", "a1"],
    leafId: "a1",
    now: 300,
    ...changes,
  });
}

describe("the start of a run", () => {
  it("stores message, conversation and run id together", async () => {
    await start();
    const stored = await readConversation("c1");
    expect(stored?.conversation).toEqual({
      id: "c1",
      title: "Hello",
      createdAt: 100,
      updatedAt: 100,
      entryCount: 1,
      leafId: "u1",
      model: MODEL,
      thinkingLevel: "off",
      activeRun: { runId: "run-1", afterSeq: 0, baseId: "u1" },
    });
    expect(stored?.branch.map(({ id, seq, parentId }) => ({ id, seq, parentId }))).toEqual([
      { id: "u1", seq: 0, parentId: null },
    ]);
    expect(stored?.run).toMatchObject({ runId: "run-1", createdAt: 100, rows: [] });
  });

  it("is refused while a run is active, from whichever tab, and stores nothing then", async () => {
    await start();
    await expect(
      start({ runId: "run-2", entry: { id: "u2", message: message("Again") }, parentId: "u1" }),
    ).rejects.toMatchObject({ kind: "conflict", name: "StorageError" });
    expect((await readConversation("c1"))?.conversation.entryCount).toBe(1);
    expect(await (await openDatabase()).getAllKeys("entries")).toEqual(["u1"]);
    expect(await (await openDatabase()).getAllKeys("runs")).toEqual(["run-1"]);
  });

  it("is refused in a conversation that another tab has deleted", async () => {
    await start();
    await removeConversation("c1");
    const again = start({
      newConversation: undefined,
      runId: "run-2",
      entry: { id: "u2", message: message("Again") },
      parentId: "u1",
    });
    await expect(again).rejects.toMatchObject({ kind: "conflict" });
    expect(await (await openDatabase()).getAll("entries")).toEqual([]);
  });

  it("stores nothing at all when one of its writes fails", async () => {
    await start({ entry: { id: "taken", message: message("Hello") } });
    await expect(
      start({ conversationId: "c2", entry: { id: "taken", message: message("Other") } }),
    ).rejects.toMatchObject({ name: "StorageError" });
    expect(await getConversation("c2")).toBeUndefined();
  });
});

describe("a checkpoint", () => {
  it("writes one row per message, moves the leaf, and keeps the other fields", async () => {
    await start();
    expect(await checkpoint()).toBe("stored");
    const stored = await readConversation("c1");
    expect(stored?.branch.map(({ id }) => id)).toEqual(["u1", "a1"]);
    expect(stored?.conversation).toMatchObject({
      leafId: "a1",
      entryCount: 2,
      updatedAt: 300,
      activeRun: { runId: "run-1", afterSeq: 10, baseId: "u1" },
    });
  });

  it("never replaces a finished message or a newer partial one", async () => {
    await start();
    const partial = (text: string) =>
      answer({ partial: true, message: assistantMessage([{ type: "text", text }], "pending") });
    const writePartial = (text: string, afterSeq: number) =>
      checkpoint({ finished: [], partial: [partial(text)], afterSeq, path: ["u1"], leafId: "u1" });
    const textNow = async () => {
      const row = await (await openDatabase()).get("entries", "a1");
      return row?.message.role === "assistant" ? row.message.content : undefined;
    };
    await writePartial("Hello", 10);
    await writePartial("Hel", 6);
    expect(await textNow()).toEqual([{ type: "text", text: "Hello" }]);
    expect((await readConversation("c1"))?.run?.state.lastSeq).toBe(10);
    expect((await readConversation("c1"))?.branch.map(({ id }) => id)).toEqual(["u1"]);
    await checkpoint({ afterSeq: 12 });
    await writePartial("Hello the", 11);
    await checkpoint({ afterSeq: 12, finished: [answer({ message: assistantMessage([]) })] });
    expect(await textNow()).toEqual([{ type: "text", text: "Hi" }]);
    expect((await readConversation("c1"))?.conversation.entryCount).toBe(2);
  });

  it("leaves the leaf where the person has gone meanwhile", async () => {
    await start();
    const database = await openDatabase();
    const row = await database.get("conversations", "c1");
    if (row) await database.put("conversations", { ...row, leafId: "elsewhere" });
    await checkpoint();
    expect((await getConversation("c1"))?.leafId).toBe("elsewhere");
  });

  it("of a run that is over or deleted stores nothing", async () => {
    await start();
    await checkpoint({ end: {} });
    expect((await getConversation("c1"))?.activeRun).toBeUndefined();
    const late = checkpoint({ finished: [answer({ id: "a2", parentId: "a1" })] });
    expect(await late).toBe("over");
    await removeConversation("c1");
    expect(await checkpoint()).toBe("over");
    expect(await (await openDatabase()).getAll("entries")).toEqual([]);
  });
});

describe("rows that do not fit", () => {
  it("are left out and reported once, and stay stored", async () => {
    const warn = vi.spyOn(console, "warn").mockImplementation(() => {});
    await start();
    await checkpoint({ end: {} });
    const database = await openDatabase();
    const bad = { ...answer(), message: { role: "robot", secret: "sk-secret" } };
    await database.put("entries", bad as unknown as EntryRow);
    await start({
      newConversation: undefined,
      runId: "run-2",
      entry: { id: "u2", message: message("Still there?") },
      parentId: "a1",
    });
    const stored = await readConversation("c1");
    expect(stored?.branch.map(({ id }) => id)).toEqual(["u1", "u2"]);
    await readConversation("c1");
    expect(await database.get("entries", "a1")).toEqual(bad);
    expect(listBadRows().filter(({ key }) => key === "a1")).toEqual([
      { store: "entries", key: "a1", problem: expect.stringContaining("message") },
    ]);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(JSON.stringify(warn.mock.calls)).not.toContain("sk-secret");
  });

  it("do not keep the others from being listed", async () => {
    vi.spyOn(console, "warn").mockImplementation(() => {});
    await start();
    const database = await openDatabase();
    await database.put("conversations", { id: "odd", updatedAt: 999 } as never);
    await start({ conversationId: "c2", now: 200, entry: { id: "u2", message: message("Hi") } });
    expect((await listConversations()).map(({ id }) => id)).toEqual(["c2", "c1"]);
    expect(await database.get("conversations", "odd")).toEqual({ id: "odd", updatedAt: 999 });
  });

  it("of a newer version keep the fields that this one does not know", async () => {
    await start();
    const database = await openDatabase();
    const row = await database.get("conversations", "c1");
    if (row) await database.put("conversations", { ...row, folder: "work" } as typeof row);
    await updateConversation("c1", { title: "Renamed", renamed: true });
    await checkpoint({ end: {} });
    expect(await getConversation("c1")).toMatchObject({ title: "Renamed", folder: "work" });
  });
});

describe("the tree", () => {
  it("shows the path to the leaf; siblings stay stored", async () => {
    await start();
    await checkpoint({ end: {} });
    await start({
      newConversation: undefined,
      entry: undefined,
      runId: "run-2",
      parentId: "u1",
    });
    expect((await readConversation("c1"))?.branch.map(({ id }) => id)).toEqual(["u1"]);
    await checkpoint({
      runId: "run-2",
      finished: [answer({ id: "a2", runId: "run-2" })],
      path: ["u1", "a2"],
      leafId: "a2",
      end: {},
    });
    expect((await readConversation("c1"))?.branch.map(({ id }) => id)).toEqual(["u1", "a2"]);
    const entries = await (await openDatabase()).getAll("entries");
    expect(entries.map(({ id, parentId, seq }) => [id, parentId, seq])).toEqual([
      ["a1", "u1", 1],
      ["a2", "u1", 2],
      ["u1", null, 0],
    ]);
  });

  it("that was broken into a ring ends all the same", async () => {
    await start();
    await checkpoint({ end: {} });
    const database = await openDatabase();
    await database.put("entries", answer({ id: "u1", parentId: "a1", seq: 0 }));
    expect((await readConversation("c1"))?.branch.map(({ id }) => id)).toEqual(["u1", "a1"]);
  });
});

describe("the connection", () => {
  it("is given up for a newer version, with a notice, and fails clearly from then on", async () => {
    await start();
    const notices: StorageNotice[] = [];
    const stop = onStorageNotice((notice) => notices.push(notice));
    const newer = await openDB(DATABASE_NAME, DATABASE_VERSION + 1);
    expect(notices.map(({ kind }) => kind)).toEqual(["outdated"]);
    await expect(getConversation("c1")).rejects.toMatchObject({
      kind: "outdated",
      nextStep: expect.stringContaining("Reload"),
    });
    expect(await newer.getAllKeys("entries")).toEqual(["u1"]);
    newer.close();
    stop();
  });

  it("waits while an older version keeps the database, says so, then migrates with all rows kept", async () => {
    await start();
    await closeDatabase();
    const older = await openDB(DATABASE_NAME, DATABASE_VERSION);
    vi.resetModules();
    vi.doMock("./schema", async (importOriginal) => {
      const schema = await importOriginal<typeof import("./schema")>();
      const next: (typeof schema.MIGRATIONS)[number] = (_database, transaction) => {
        transaction.objectStore("conversations").createIndex("later" as never, "title");
      };
      return { ...schema, MIGRATIONS: [...schema.MIGRATIONS, next], DATABASE_VERSION: 2 };
    });
    const newer = await import("./open");
    const notices: StorageNotice[] = [];
    const blocked = new Promise<void>((resolve) => {
      newer.onStorageNotice((notice) => {
        notices.push(notice);
        if (notice.kind === "blocked") resolve();
      });
    });
    const opening = newer.openDatabase();
    await blocked;
    older.close();
    const database = await opening;
    expect(notices.map(({ kind }) => kind)).toEqual(["blocked", "ready"]);
    expect(database.version).toBe(2);
    expect(await database.getAllKeys("entries")).toEqual(["u1"]);
    await newer.closeDatabase();
    vi.doUnmock("./schema");
    vi.resetModules();
  });

  it("that the browser closed is opened again", async () => {
    await start();
    (await openDatabase()).close();
    expect(await getConversation("c1")).toMatchObject({ id: "c1" });
    (await openDatabase()).close();
    await updateConversation("c1", { title: "After" });
    expect((await getConversation("c1"))?.title).toBe("After");
  });

  it("that cannot be had in this window is told with a next step", async () => {
    const broken = (name: string) =>
      ({
        open() {
          throw new DOMException("no", name);
        },
      }) as unknown as IDBFactory;
    for (const name of ["InvalidStateError", "SecurityError", "UnknownError"]) {
      vi.stubGlobal("indexedDB", broken(name));
      await expect(listConversations()).rejects.toMatchObject({
        kind: "unavailable",
        nextStep: expect.stringContaining("normal (not private) window"),
      });
    }
    vi.stubGlobal("indexedDB", undefined);
    await expect(listConversations()).rejects.toMatchObject({ kind: "unavailable" });
  });

  it("reports success only when the transaction is complete", async () => {
    await start();
    const write = writeDatabase(["conversations"], async (transaction) => {
      await transaction.objectStore("conversations").delete("c1");
      transaction.abort();
    });
    await expect(write).rejects.toMatchObject({ name: "StorageError" });
    expect(await getConversation("c1")).toMatchObject({ id: "c1" });
  });

  it("tells a full disk and a value that cannot be stored apart", async () => {
    const put = (value: unknown) =>
      writeDatabase(["drafts"], async (transaction) => {
        await transaction.objectStore("drafts").put(value as never);
      });
    await expect(put({ conversationId: "x", text: () => {} })).rejects.toMatchObject({
      kind: "unclonable",
    });
    const full = writeDatabase(["drafts"], async () => {
      throw new DOMException("full", "QuotaExceededError");
    });
    await expect(full).rejects.toMatchObject({
      kind: "quota",
      message: "Not saved: the storage space of this browser is full.",
    });
  });
});

describe("deleting a conversation", () => {
  it("takes its entries, run and draft with it, and nothing else", async () => {
    await start();
    await start({
      conversationId: "c2",
      runId: "run-2",
      entry: { id: "u2", message: message("B") },
    });
    const database = await openDatabase();
    for (const conversationId of ["c1", "c2"]) {
      await database.put("drafts", { conversationId, text: "draft", updatedAt: 1 });
    }
    await removeConversation("c1");
    expect(await database.getAllKeys("conversations")).toEqual(["c2"]);
    expect(await database.getAllKeys("entries")).toEqual(["u2"]);
    expect(await database.getAllKeys("runs")).toEqual(["run-2"]);
    expect(await database.getAllKeys("drafts")).toEqual(["c2"]);
  });
});

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Message } from "@/lib/ai/types";
import type { RunRequest } from "@/lib/run/request";
import { parseRunRequest } from "@/lib/run/request";
import { readConversation } from "../db/entries";
import { openDatabase } from "../db/open";
import { storeProviderSettings } from "../db/settings";
import { errorAnswer, FakeServer } from "../testing/fake-server";
import { freshDatabase } from "../testing/fresh-database";
import { assistantMessage, numbered, textAnswer, textRun, toolRun } from "../testing/scripted-run";
import { openTab, type Tab } from "../testing/tab";
import { settled, until } from "../testing/until";
import type { ConversationStore } from "./conversation";

let server: FakeServer;
let tabs: Tab[] = [];

beforeEach(async () => {
  await freshDatabase();
  server = new FakeServer();
  let count = 0;
  server.script = () => textRun(`answer-${++count}`, `Answer ${count}.`);
  tabs = [];
});

afterEach(() => {
  for (const tab of tabs) tab.sessions.leaveAll();
});

async function newTab(conversationId?: string): Promise<Tab> {
  const tab = openTab(server);
  tabs.push(tab);
  await Promise.all([tab.models.getState().load(), tab.settings.getState().load()]);
  await tab.conversation.getState().open(conversationId);
  return tab;
}

const free = (state: ConversationStore): boolean => !state.busy;
const idle = (tab: Tab): Promise<ConversationStore> => until(tab.conversation, free);
const send = (tab: Tab, text: string): Promise<string> =>
  tab.conversation.getState().send({ text });

function texts(state: ConversationStore): string[] {
  return state.entries.map(({ message }) => {
    if (message.role === "custom") return "";
    if (typeof message.content === "string") return message.content;
    return message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
  });
}

function lastRequest(): RunRequest {
  const request = server.started.at(-1);
  if (!request) throw new Error("no run was started");
  return request;
}

describe("sending", () => {
  it("makes a conversation of the first message and streams the answer into it", async () => {
    const tab = await newTab();
    expect(tab.conversation.getState()).toMatchObject({ status: "empty", busy: false });
    const id = await send(tab, "Hello   there,\nhow are you?");
    expect(tab.conversation.getState()).toMatchObject({
      id,
      status: "ready",
      title: "Hello there, how are you?",
      busy: true,
    });
    const state = await idle(tab);
    expect(texts(state)).toEqual(["Hello   there,\nhow are you?", "Answer 1."]);
    expect(state.run).toBeUndefined();
    const stored = await readConversation(id);
    expect(stored?.conversation).toMatchObject({
      title: "Hello there, how are you?",
      model: { provider: "demo", id: "demo-1" },
      entryCount: 2,
    });
  });

  it("keeps the rows that it shows: nothing is drawn again when a run ends", async () => {
    const tab = await newTab();
    await send(tab, "One");
    const first = await idle(tab);
    await send(tab, "Two");
    const second = await idle(tab);
    expect(second.entries.slice(0, 2)).toEqual(first.entries);
    expect(second.entries[0]).toBe(first.entries[0]);
    expect(second.entries[1]).toBe(first.entries[1]);
  });

  it("posts a request that the server takes, with the branch, the prompt and all tools", async () => {
    const tab = await newTab();
    await tab.settings
      .getState()
      .set({ systemPrompt: "Be brief.", tools: { get_current_time: "off" } });
    const id = await send(tab, "One");
    await idle(tab);
    await send(tab, "Two");
    await idle(tab);
    const request = lastRequest();
    expect(parseRunRequest(request)).toEqual(request);
    expect(request).toMatchObject({
      model: { provider: "demo", id: "demo-1" },
      thinkingLevel: "off",
      tools: { calculate: "auto", get_current_time: "off" },
      options: { sessionId: id },
      context: { systemPrompt: "Be brief." },
    });
    expect(request.context.messages.map(({ role }) => role)).toEqual(["user", "assistant", "user"]);
    expect(new Set(server.started.map(({ runId }) => runId)).size).toBe(2);
  });

  it("sends images as blocks of the message", async () => {
    const tab = await newTab();
    const image = { type: "image" as const, data: "aGk=", mimeType: "image/png" };
    await tab.conversation.getState().send({ text: "", images: [image] });
    await idle(tab);
    expect(lastRequest().context.messages[0]).toMatchObject({ role: "user", content: [image] });
    expect(tab.conversation.getState().title).toBe("New chat");
  });

  it("refuses a second message while an answer is being written, whoever sends it", async () => {
    const log = textRun("a1", "Answer.");
    server.script = () => log;
    server.releaseAtStart = 5;
    const tab = await newTab();
    const first = send(tab, "One");
    await expect(send(tab, "One again")).rejects.toThrow("still being written");
    const id = await first;
    await until(tab.conversation, ({ run }) => run?.state.lastSeq === 5);
    await expect(send(tab, "Two")).rejects.toThrow("still being written");
    expect(tab.conversation.getState().busy).toBe(true);
    server.runs.get(lastRequest().runId)?.release();
    expect(texts(await idle(tab))).toEqual(["One", "Answer."]);
    expect(server.started).toHaveLength(1);
    expect((await readConversation(id))?.conversation.entryCount).toBe(2);
  });

  it("is possible at once after the end of the run before", async () => {
    const tab = await newTab();
    await send(tab, "One");
    await until(tab.conversation, ({ busy }) => !busy);
    await send(tab, "Two");
    expect(texts(await idle(tab))).toEqual(["One", "Answer 1.", "Two", "Answer 2."]);
  });

  it("keeps the message out of the conversation when it cannot be stored", async () => {
    const tab = await newTab();
    const database = await openDatabase();
    Object.defineProperty(database, "transaction", {
      configurable: true,
      value: () => {
        throw new DOMException("full", "QuotaExceededError");
      },
    });
    await expect(send(tab, "One")).rejects.toMatchObject({ kind: "quota" });
    expect(tab.conversation.getState()).toMatchObject({
      status: "empty",
      busy: false,
      entries: [],
    });
    expect(server.started).toEqual([]);
    Reflect.deleteProperty(database, "transaction");
    await send(tab, "One");
    expect(texts(await idle(tab))).toEqual(["One", "Answer 1."]);
  });

  it("waits for what the run before could not store, and says why it must", async () => {
    server.releaseAtStart = 3;
    const tab = await newTab();
    await send(tab, "One");
    await until(tab.conversation, ({ run }) => run?.state.lastSeq === 3);
    const database = await openDatabase();
    const transaction = database.transaction.bind(database);
    Object.defineProperty(database, "transaction", {
      configurable: true,
      value: (...args: Parameters<typeof transaction>) => {
        if (args[1] === "readwrite") throw new DOMException("full", "QuotaExceededError");
        return transaction(...args);
      },
    });
    server.runs.get(lastRequest().runId)?.release();
    const state = await until(tab.conversation, ({ busy, unsaved }) => !busy && !!unsaved);
    expect(texts(state)).toEqual(["One", "Answer 1."]);
    await expect(send(tab, "Two")).rejects.toMatchObject({ kind: "quota" });
    expect(texts(tab.conversation.getState())).toEqual(["One", "Answer 1."]);
    Reflect.deleteProperty(database, "transaction");
    server.releaseAtStart = Number.POSITIVE_INFINITY;
    await send(tab, "Two");
    const after = await idle(tab);
    expect(texts(after)).toEqual(["One", "Answer 1.", "Two", "Answer 2."]);
    expect(after.unsaved).toBeUndefined();
    expect((await readConversation(after.id ?? ""))?.branch).toHaveLength(4);
  });

  it("says that an empty message is one", async () => {
    const tab = await newTab();
    await expect(send(tab, " \n ")).rejects.toThrow("The message is empty.");
  });
});

describe("the model", () => {
  it("is the conversation's, else the last one used, else the demo's first", async () => {
    const tab = await newTab();
    expect(tab.conversation.getState().model).toEqual({ provider: "demo", id: "demo-1" });
    await tab.conversation.getState().setModel({ provider: "demo", id: "demo-2" });
    const id = await send(tab, "One");
    await idle(tab);
    await settled();
    const other = await newTab();
    expect(other.conversation.getState().model).toEqual({ provider: "demo", id: "demo-2" });
    await tab.conversation.getState().setModel({ provider: "openai", id: "gpt-5" });
    await other.conversation.getState().open(id);
    expect(other.conversation.getState().model).toEqual({ provider: "openai", id: "gpt-5" });
  });

  it("goes with the person's key in a header, and nowhere else", async () => {
    await storeProviderSettings("openai", { apiKey: "sk-secret" });
    const tab = await newTab();
    await tab.conversation.getState().setModel({ provider: "openai", id: "gpt-5" });
    server.overrides.push(() => errorAnswer(400, "invalid-request", "Bad key sk-secret given."));
    const id = await send(tab, "One");
    const state = await idle(tab);
    expect(server.requests[0]?.headers.get("x-provider-key")).toBe("sk-secret");
    expect(JSON.stringify(server.started)).not.toContain("sk-secret");
    expect(state.run?.error?.message).toBe("Bad key [key] given.");
    const database = await openDatabase();
    for (const store of ["conversations", "entries", "runs", "drafts"] as const) {
      expect(JSON.stringify(await database.getAll(store))).not.toContain("sk-secret");
    }
    expect((await readConversation(id))?.conversation.model).toEqual({
      provider: "openai",
      id: "gpt-5",
    });
  });

  it("is sent whole when the person has set an address of their own", async () => {
    const tab = await newTab();
    await tab.settings
      .getState()
      .setProvider("openai", { baseUrl: "https://llm.example/v1", apiKey: "k" });
    await tab.conversation.getState().setModel({ provider: "openai", id: "gpt-5" });
    await send(tab, "One");
    await idle(tab);
    const request = lastRequest();
    expect(parseRunRequest(request)).toEqual(request);
    expect(request.model).toEqual({
      id: "gpt-5",
      name: "GPT-5",
      api: "openai-responses",
      provider: "openai",
      baseUrl: "https://llm.example/v1",
      reasoning: true,
      thinkingLevelMap: { minimal: null, medium: null, xhigh: "xhigh", max: null },
      input: ["text", "image"],
      contextWindow: 200_000,
      maxTokens: 32_000,
    });
  });

  it("that the server does not list is never sent with a key for another host", async () => {
    await storeProviderSettings("openai", { apiKey: "k", baseUrl: "https://llm.example/v1" });
    const tab = await newTab();
    await tab.conversation.getState().setModel({ provider: "openai", id: "gone" });
    await expect(send(tab, "One")).rejects.toThrow("your own address");
    expect(server.requests).toEqual([]);
    expect(tab.conversation.getState()).toMatchObject({ status: "empty", busy: false });
  });
});

describe("a failure", () => {
  it("to start is shown, also after a reload, and gone after a retry", async () => {
    const tab = await newTab();
    server.overrides.push(() => errorAnswer(413, "too-large", "body: too large", "body"));
    const id = await send(tab, "One");
    const state = await idle(tab);
    expect(state.run).toMatchObject({ connection: "lost", error: { status: 413, field: "body" } });
    expect(texts(state)).toEqual(["One"]);
    const reloaded = await newTab(id);
    expect(reloaded.conversation.getState().run?.error).toEqual(state.run?.error);
    expect(reloaded.conversation.getState().busy).toBe(false);
    await reloaded.conversation.getState().retry();
    const after = await idle(reloaded);
    expect(texts(after)).toEqual(["One", "Answer 1."]);
    expect(after.run).toBeUndefined();
    const again = await newTab(id);
    expect(again.conversation.getState().run).toBeUndefined();
  });

  it("of an answer is retried from the last user message; the failed one stays as a sibling", async () => {
    const failed = assistantMessage([{ type: "text", text: "Half" }], "error");
    server.script = () =>
      numbered([
        { type: "agent_start" },
        ...textAnswer("failed", "Half").slice(0, -1),
        { type: "message_end", messageId: "failed", message: failed },
        { type: "agent_end", messages: [] },
      ]);
    const tab = await newTab();
    const id = await send(tab, "One");
    await idle(tab);
    server.script = () => textRun("good", "Whole.");
    await tab.conversation.getState().retry();
    expect(texts(await idle(tab))).toEqual(["One", "Whole."]);
    expect(lastRequest().context.messages.map(({ role }) => role)).toEqual(["user"]);
    const rows = await (await openDatabase()).getAll("entries");
    const question = rows.find(({ message }) => message.role === "user");
    expect(rows.filter(({ parentId }) => parentId === question?.id).map(({ id }) => id)).toEqual([
      "failed",
      "good",
    ]);
    const stored = await readConversation(id);
    expect(stored?.branch.map(({ id }) => id)).toEqual([question?.id, "good"]);
  });

  it("of an answer is part of what the next request carries", async () => {
    server.script = () =>
      numbered([
        { type: "agent_start" },
        {
          type: "message_end",
          messageId: "failed",
          message: assistantMessage([{ type: "text", text: "Half" }], "error"),
        },
        { type: "agent_end", messages: [] },
      ]);
    const tab = await newTab();
    await send(tab, "One");
    await idle(tab);
    server.script = () => textRun("good", "Whole.");
    await send(tab, "Two");
    await idle(tab);
    expect(
      (lastRequest().context.messages as Message[]).map((message) =>
        message.role === "assistant" ? message.stopReason : message.role,
      ),
    ).toEqual(["user", "error", "user"]);
  });
});

describe("several conversations at once", () => {
  it("each keeps its own answer, on screen and in storage", async () => {
    server.script = (request) => {
      const last = request.context.messages.at(-1);
      const question = last?.role === "user" ? String(last.content) : "";
      return textRun(`answer to ${question}`, `This answers ${question}.`);
    };
    server.releaseAtStart = 6;
    const tab = await newTab();
    const first = await send(tab, "A");
    await until(tab.conversation, ({ run }) => run?.state.lastSeq === 6);
    await tab.conversation.getState().open(undefined);
    expect(tab.conversation.getState()).toMatchObject({ entries: [], busy: false });
    expect(tab.conversation.getState().run).toBeUndefined();
    const second = await send(tab, "B");
    await until(tab.conversation, ({ run }) => run?.state.lastSeq === 6);
    server.runs.get(server.started[0]?.runId ?? "")?.release(8);
    await settled();
    expect(texts(tab.conversation.getState())).toEqual(["B"]);
    await tab.conversation.getState().open(first);
    const back = tab.conversation.getState();
    expect(back).toMatchObject({ id: first, busy: true, run: { state: { lastSeq: 8 } } });
    for (const run of server.runs.values()) run.release();
    expect(texts(await idle(tab))).toEqual(["A", "This answers A."]);
    await settled();
    await tab.conversation.getState().open(second);
    expect(texts(tab.conversation.getState())).toEqual(["B", "This answers B."]);
    expect((await readConversation(first))?.branch).toHaveLength(2);
  });

  it("a message whose conversation was left while it was stored goes where it belongs", async () => {
    const tab = await newTab();
    const sending = send(tab, "A");
    await tab.conversation.getState().open(undefined);
    const id = await sending;
    await settled();
    expect(tab.conversation.getState()).toMatchObject({ status: "empty", entries: [] });
    await tab.conversation.getState().open(id);
    expect(texts(await idle(tab))).toEqual(["A", "Answer 1."]);
  });
});

describe("opening", () => {
  it("tells a conversation that is not there from one that cannot be read", async () => {
    const tab = await newTab("nowhere");
    expect(tab.conversation.getState().status).toBe("missing");
    const database = await openDatabase();
    Object.defineProperty(database, "transaction", {
      value: () => {
        throw new DOMException("odd", "UnknownError");
      },
    });
    await tab.conversation.getState().open("anything");
    expect(tab.conversation.getState()).toMatchObject({
      status: "failed",
      error: expect.stringContaining("reload the page"),
    });
  });

  it("goes on with the run that a closed tab had begun", async () => {
    server.script = () => toolRun("x");
    server.releaseAtStart = 10;
    const tab = await newTab();
    const id = await send(tab, "What is 6*7?");
    await until(tab.conversation, ({ run }) => run?.state.lastSeq === 10);
    await tab.sessions.get(id)?.flush();
    tab.sessions.leaveAll();
    const next = await newTab(id);
    expect(next.conversation.getState()).toMatchObject({
      busy: true,
      run: { state: { lastSeq: 10 } },
    });
    server.runs.get(lastRequest().runId)?.release();
    const state = await idle(next);
    expect(state.entries.map(({ message }) => message.role)).toEqual([
      "user",
      "assistant",
      "toolResult",
      "toolResult",
      "assistant",
    ]);
    expect(server.started).toHaveLength(1);
  });

  it("shows what was finished of a run once, in its place, while the rest comes", async () => {
    server.script = () => toolRun("x");
    server.releaseAtStart = 28;
    const tab = await newTab();
    const id = await send(tab, "What is 6*7?");
    await until(tab.conversation, ({ run }) => run?.state.lastSeq === 28);
    await tab.sessions.get(id)?.flush();
    const ids = (state: ConversationStore) => state.entries.map((entry) => entry.id).slice(1);
    const before = ids(tab.conversation.getState());
    expect(before).toEqual(["x-a1", "x-r1", "x-r2"]);
    tab.sessions.leaveAll();
    const next = await newTab(id);
    expect(ids(next.conversation.getState())).toEqual(before);
    server.runs.get(lastRequest().runId)?.release();
    expect(ids(await idle(next))).toEqual([...before, "x-a2"]);
  });

  it("starts the run of a tab that was closed before the server heard of it, once", async () => {
    server.overrides.push(() => new Promise<Response>(() => {}));
    const tab = await newTab();
    const id = await send(tab, "One");
    tab.sessions.leaveAll();
    const next = await newTab(id);
    expect(texts(await idle(next))).toEqual(["One", "Answer 1."]);
    expect(new Set(server.started.map(({ runId }) => runId)).size).toBe(1);
    expect(server.runs.size).toBe(1);
    expect(server.started[1]).toEqual(server.started[0]);
  });

  it("does not start a run of long ago: it is marked as lost", async () => {
    server.overrides.push(() => new Promise<Response>(() => {}));
    const tab = await newTab();
    const id = await send(tab, "One");
    tab.sessions.leaveAll();
    const next = openTab(server);
    tabs.push(next);
    next.page.time += 3 * 60_000;
    await next.conversation.getState().open(id);
    const state = await idle(next);
    expect(server.started).toHaveLength(1);
    expect(state.entries.at(-1)?.message).toMatchObject({
      role: "assistant",
      stopReason: "error",
      model: "demo-1",
    });
  });

  it("is told when the conversation is deleted, with its run stopped first", async () => {
    server.releaseAtStart = 5;
    server.onAbort = (run) => {
      run.continueWith(numbered([{ type: "agent_end", messages: [] }], run.happened + 1));
      run.release();
    };
    const tab = await newTab();
    await tab.conversations.getState().load();
    const id = await send(tab, "One");
    await until(tab.conversation, ({ run }) => run?.state.lastSeq === 5);
    await tab.conversations.getState().remove(id);
    await until(tab.conversation, ({ status }) => status === "missing");
    expect(tab.conversations.getState().list).toEqual([]);
    expect(server.requests.at(-1)?.path).toContain("/abort");
    expect(await (await openDatabase()).getAll("entries")).toEqual([]);
  });
});

describe("the list of conversations", () => {
  it("is kept newest first as messages come, and renamed without losing anything", async () => {
    const tab = await newTab();
    await tab.conversations.getState().load();
    const first = await send(tab, "First");
    await idle(tab);
    tab.page.time += 1000;
    await tab.conversation.getState().open(undefined);
    const second = await send(tab, "Second");
    await idle(tab);
    await settled();
    const ids = () => tab.conversations.getState().list.map(({ id }) => id);
    expect(ids()).toEqual([second, first]);
    tab.page.time += 1000;
    await tab.conversation.getState().open(first);
    await send(tab, "More");
    await idle(tab);
    await settled();
    expect(ids()).toEqual([first, second]);
    await tab.conversations.getState().rename(first, "  My   chat ");
    await settled();
    expect(tab.conversations.getState().list[0]).toMatchObject({ title: "My chat", entryCount: 4 });
    expect(tab.conversation.getState().title).toBe("My chat");
  });
});

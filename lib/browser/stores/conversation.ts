import { create, type StateCreator } from "zustand";
import type { ImageContent, ThinkingLevel, UserMessage } from "@/lib/ai/types";
import { initialRunState, type RunState } from "@/lib/run/fold";
import { onChange } from "../changes";
import { getConversation, updateConversation } from "../db/conversations";
import { readConversation, type StoredConversation } from "../db/entries";
import { type StorageError, toStorageError } from "../db/errors";
import type { ConversationRow, EntryRow, ModelRef } from "../db/rows";
import type { RunFailure } from "../failure";
import { newId } from "../ids";
import type { Connection, RunSession, RunSnapshot } from "../run-session";
import { browserServices } from "../services";
import { titleFrom } from "../title";
import { useModels } from "./models";
import { type NewRun, type RunStarterOptions, runStarter } from "./run-starter";
import { useSettings } from "./settings";

export type { Connection } from "../run-session";

/** The run that the conversation waits for, or the one that could not be started (`error`). */
export interface LiveRun {
  runId: string;
  connection: Connection;
  state: RunState;
  /** Set when the run could not be started or followed. The composer is free again then. */
  error?: RunFailure;
}

/** The open conversation. */
export interface ConversationStore {
  /** Undefined until the first message of a new conversation is stored. */
  id?: string;
  title?: string;
  status: "empty" | "loading" | "ready" | "missing" | "failed";
  /** Why the status is "failed"; a sentence for people. */
  error?: string;
  /** The visible branch, root to leaf, finished messages only. Rows keep their identity while they do not change. */
  entries: EntryRow[];
  run?: LiveRun;
  /** True from send() until the run's end: Stop is shown, Send is not. */
  busy: boolean;
  /** What has arrived is shown but could not be stored; retried by itself. */
  unsaved?: StorageError;
  /** What the next message is sent to; undefined until the models are known. */
  model?: ModelRef;
  thinkingLevel: ThinkingLevel;
  /** Opens a stored conversation and follows its active run; without an id a new, unsaved one. Never rejects. */
  open(id?: string): Promise<void>;
  /**
   * Stores the message and starts a run; resolves with the conversation's id once both are on their way.
   * Rejects with a StorageError or a plain Error, each with a sentence for people, when nothing was stored: the composer
   * must keep its text then. Whatever happens to the run afterwards is told in `run.error` or in the answer.
   */
  send(input: MessageInput): Promise<string>;
  /** Ends the run and keeps what has arrived. Resolves when the conversation is free. Never rejects. */
  stop(): Promise<void>;
  /** Tells a tool call of the run that waits for it what the person decided. @throws {RunCallError} */
  answerTool(
    toolCallId: string,
    answer: { decision: "allow" | "deny"; always?: boolean },
  ): Promise<void>;
  /** A new run from the last user message; the answer that failed stays in the tree as a sibling. Rejects as send does. */
  retry(): Promise<void>;
  /** @throws {StorageError} when it holds for this page only because it could not be stored */
  setModel(model: ModelRef): Promise<void>;
  /** @throws {StorageError} as setModel does */
  setThinkingLevel(level: ThinkingLevel): Promise<void>;
}

export interface MessageInput {
  text: string;
  images?: ImageContent[];
}

export function conversationStore(options: RunStarterOptions): StateCreator<ConversationStore> {
  const { client, sessions, page, models, settings } = options;
  const starter = runStarter(options);

  return (set, get) => {
    /** Counts changes of the open conversation: work that was begun for an earlier one must not show. */
    let opened = 0;
    /** The stored part of the visible branch, without the messages of the run that is being followed. */
    let stored: EntryRow[] = [];
    let shown: { run: EntryRow[]; stored: EntryRow[]; entries: EntryRow[] } | undefined;
    let detach = (): void => {};
    let sending = false;
    let watching = false;

    function entriesWith(run: EntryRow[]): EntryRow[] {
      if (shown?.run !== run || shown.stored !== stored) {
        shown = { run, stored, entries: run.length === 0 ? stored : [...stored, ...run] };
      }
      return shown.entries;
    }

    // --- Showing -----------------------------------------------------------------------------

    function showSnapshot(snapshot: RunSnapshot): void {
      const { runId, connection, state, failure, unsaved, over } = snapshot;
      set({
        entries: entriesWith(snapshot.entries),
        run:
          over && !failure
            ? undefined
            : { runId, connection, state, ...(failure && { error: failure }) },
        busy: !over,
        unsaved,
      });
    }

    function attach(session: RunSession): void {
      detach();
      const forConversation = opened;
      stored = stored.filter((entry) => entry.runId !== session.runId);
      showSnapshot(session.snapshot());
      detach = session.subscribe(showSnapshot);
      void session.finished.then((how) => {
        if (opened !== forConversation || how === "left") return;
        detach();
        if (how === "here") stored = entriesWith(session.snapshot().entries);
        else void refresh();
      });
    }

    function showStored(conversation: StoredConversation): void {
      const { conversation: row, branch } = conversation;
      stored = branch;
      set({
        id: row.id,
        title: row.title,
        status: "ready",
        error: undefined,
        entries: entriesWith([]),
        run: failedRun(row),
        busy: false,
        unsaved: undefined,
        model: row.model ?? starter.defaultModel(),
        thinkingLevel: row.thinkingLevel ?? settings.getState().thinkingLevel,
      });
    }

    /** What is stored now, and the run that goes on in it. */
    async function readAndShow(id: string): Promise<void> {
      const forConversation = opened;
      const conversation = await readConversation(id);
      if (opened !== forConversation) return;
      if (!conversation) {
        detach();
        set({ id, status: "missing", entries: [], run: undefined, busy: false });
        return;
      }
      const session = sessions.get(id) ?? (await starter.resume(conversation));
      if (opened !== forConversation) return;
      showStored(conversation);
      if (session) attach(session);
    }

    async function refresh(): Promise<void> {
      const { id } = get();
      if (!id || sessions.get(id) || sending) return;
      await readAndShow(id).catch((error: unknown) => set({ unsaved: toStorageError(error) }));
    }

    // --- Runs --------------------------------------------------------------------------------

    /** One run from an entry on the visible branch, or from a new message below its end. */
    async function begin(branch: EntryRow[], message?: NewRun["message"]): Promise<string> {
      const forConversation = opened;
      const { id } = get();
      const conversationId = id ?? newId();
      const current = sessions.get(conversationId);
      if (sending || (current && !current.snapshot().over)) {
        throw new Error("An answer is still being written. Wait until it is done, or stop it.");
      }
      sending = true;
      set({ busy: true });
      try {
        await starter.ready();
        const model = get().model ?? starter.defaultModel();
        if (!model) throw new Error("Choose a model first.");
        const { conversation, entry, session } = await starter.start({
          conversationId,
          branch,
          model,
          thinkingLevel: get().thinkingLevel,
          ...(message && { message }),
          ...(!id && { newConversation: { title: titleFrom(textOf(message?.message)) } }),
        });
        if (opened === forConversation) {
          stored = entry ? [...branch, entry] : branch;
          set({ id: conversationId, title: conversation.title, status: "ready", model });
          attach(session);
        }
        return conversationId;
      } catch (error) {
        if (opened === forConversation) set({ busy: false });
        throw error;
      } finally {
        sending = false;
      }
    }

    function watch(): void {
      if (watching) return;
      watching = true;
      onChange((change, from) => {
        if (change.kind === "settings" || change.id !== get().id) return;
        if (change.kind === "removed") void readAndShow(change.id).catch(() => {});
        else if (from === "elsewhere") void refresh();
        else if (change.kind === "conversation") void refreshTitle(change.id);
      });
      page.onShown(() => void refresh());
      const chooseModel = (): void => {
        if (get().model || !settings.getState().loaded) return;
        const model = starter.defaultModel();
        if (model) set({ model });
      };
      models.subscribe(chooseModel);
      settings.subscribe(chooseModel);
    }

    async function refreshTitle(id: string): Promise<void> {
      const row = await getConversation(id).catch(() => undefined);
      if (row && get().id === id) set({ title: row.title });
    }

    return {
      status: "empty",
      entries: [],
      busy: false,
      thinkingLevel: "off",

      async open(id) {
        watch();
        if (id !== undefined && id === get().id && get().status === "ready") {
          await refresh();
          return;
        }
        opened++;
        detach();
        stored = [];
        set({
          id,
          title: undefined,
          status: id === undefined ? "empty" : "loading",
          error: undefined,
          entries: entriesWith([]),
          run: undefined,
          busy: false,
          unsaved: undefined,
          model: starter.defaultModel(),
          thinkingLevel: settings.getState().thinkingLevel,
        });
        const forConversation = opened;
        if (id === undefined) {
          if (settings.getState().loaded) return;
          await settings.getState().load();
          if (opened !== forConversation || get().id !== undefined) return;
          const { thinkingLevel } = settings.getState();
          set({ thinkingLevel, model: get().model ?? starter.defaultModel() });
          return;
        }
        try {
          await readAndShow(id);
        } catch (error) {
          if (opened !== forConversation) return;
          const { message, nextStep } = toStorageError(error);
          set({ status: "failed", error: `${message} ${nextStep}` });
        }
      },

      async send(input) {
        const { status, entries } = get();
        if (status !== "ready" && status !== "empty") {
          throw new Error("The conversation is not open yet. Try again in a moment.");
        }
        return begin(entries, { id: newId(), message: userMessage(input, page.now()) });
      },

      async stop() {
        const { id } = get();
        await (id === undefined ? undefined : sessions.get(id)?.stop());
      },

      async answerTool(toolCallId, answer) {
        const runId = get().run?.runId;
        if (runId !== undefined) await client.answerTool(runId, toolCallId, answer);
      },

      async retry() {
        const { entries } = get();
        const last = entries.findLastIndex((entry) => entry.message.role === "user");
        if (last === -1) return;
        await begin(entries.slice(0, last + 1));
      },

      async setModel(model) {
        set({ model });
        const { id, status } = get();
        if (id !== undefined && status === "ready") await updateConversation(id, { model });
      },

      async setThinkingLevel(thinkingLevel) {
        set({ thinkingLevel });
        const { id, status } = get();
        if (id !== undefined && status === "ready") await updateConversation(id, { thinkingLevel });
        await settings.getState().set({ thinkingLevel });
      },
    };
  };
}

/** @throws Error when there is nothing to send */
function userMessage({ text, images = [] }: MessageInput, timestamp: number): UserMessage {
  if (text.trim() === "" && images.length === 0) throw new Error("The message is empty.");
  const content: UserMessage["content"] =
    images.length === 0
      ? text
      : [...(text.trim() === "" ? [] : [{ type: "text" as const, text }]), ...images];
  return { role: "user", content, timestamp };
}

function textOf(message: UserMessage | undefined): string {
  if (!message) return "";
  if (typeof message.content === "string") return message.content;
  return message.content.map((block) => (block.type === "text" ? block.text : "")).join(" ");
}

/** The run that could not be started, as long as nothing came after it. */
function failedRun(conversation: ConversationRow): LiveRun | undefined {
  const { failure, leafId } = conversation;
  if (!failure || failure.entryId !== leafId) return undefined;
  const { runId, entryId: _entryId, ...error } = failure;
  return { runId, connection: "lost", state: { ...initialRunState(), status: "ended" }, error };
}

export const useConversation = create<ConversationStore>()(
  conversationStore({ ...browserServices, models: useModels, settings: useSettings }),
);

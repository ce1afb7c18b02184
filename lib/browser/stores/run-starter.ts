import type { StoreApi } from "zustand";
import type { ThinkingLevel, UserMessage } from "@/lib/ai/types";
import { buildRun } from "../build-run";
import { announceChange } from "../changes";
import { type RunStart, type StoredConversation, storeRunStart } from "../db/entries";
import type { ConversationRow, EntryRow, ModelRef } from "../db/rows";
import { newId } from "../ids";
import { askToPersist } from "../persistence";
import type { RunSession } from "../run-session";
import type { Services } from "../services";
import type { ModelsStore } from "./models";
import type { SettingsStore } from "./settings";

export interface RunStarterOptions extends Services {
  models: Pick<StoreApi<ModelsStore>, "getState" | "subscribe">;
  settings: Pick<StoreApi<SettingsStore>, "getState" | "subscribe">;
}

export interface NewRun {
  conversationId: string;
  /** The visible branch up to where the run goes on from. */
  branch: EntryRow[];
  model: ModelRef;
  thinkingLevel: ThinkingLevel;
  /** A new message below the branch, or one that was queued; without one the branch's end is answered again. */
  message?: { id: string; message: UserMessage };
  /** Present for the first message of a new conversation. */
  newConversation?: { title: string };
}

export interface StartedRun {
  conversation: ConversationRow;
  entry?: EntryRow;
  session: RunSession;
}

/** Starts and resumes runs of any conversation, whichever is on screen. */
export interface RunStarter {
  /** The settings, and the models: without them no tool would be named and no address of the person's own used. */
  ready(): Promise<void>;
  /** What a conversation is held with unless the person chooses. */
  defaultModel(): ModelRef | undefined;
  /**
   * Writes the run down and asks the server for it. Waits until the run before is stored.
   * @throws {StorageError} or a plain Error with a sentence for people, when nothing was stored
   */
  start(run: NewRun): Promise<StartedRun>;
  /** Follows the run that a stored conversation waits for; undefined when it waits for none. */
  resume(stored: StoredConversation): Promise<RunSession | undefined>;
}

/** A run that had not begun to answer when it was stored may be posted again for so long. */
const REPOST_WITHIN_MS = 2 * 60_000;

export function runStarter({ sessions, page, models, settings }: RunStarterOptions): RunStarter {
  async function ready(): Promise<void> {
    await Promise.all([
      settings.getState().loaded || settings.getState().load(),
      models.getState().loaded || models.getState().load(),
    ]);
  }

  function request(
    runId: string,
    conversationId: string,
    model: ModelRef,
    thinkingLevel: ThinkingLevel,
    branch: Pick<EntryRow, "message">[],
  ) {
    const { systemPrompt, tools: toolModes, providers } = settings.getState();
    return buildRun({
      runId,
      conversationId,
      model,
      known: models.getState().find(model),
      thinkingLevel,
      messages: branch.map((entry) => entry.message),
      systemPrompt,
      tools: models.getState().tools,
      toolModes,
      provider: providers[model.provider],
    });
  }

  function apiOf(model: ModelRef): { api?: string } {
    const api = models.getState().find(model)?.model.api;
    return api ? { api } : {};
  }

  return {
    ready,

    defaultModel() {
      const { providers, find, loaded } = models.getState();
      const { lastModel } = settings.getState();
      if (lastModel && (!loaded || find(lastModel))) return lastModel;
      const provider =
        providers.find(({ id }) => id === "demo") ?? providers.find(({ configured }) => configured);
      const model = provider?.models[0];
      return provider && model && { provider: provider.id, id: model.id };
    },

    async start({ conversationId, branch, model, thinkingLevel, message, newConversation }) {
      const current = sessions.get(conversationId);
      // The run before is over; what it could not store must be stored before another one begins.
      await current?.flush();
      await current?.finished;
      await ready();
      const runId = newId();
      const messages = message ? [...branch, message] : branch;
      const start = request(runId, conversationId, model, thinkingLevel, messages);
      const runStart: RunStart = {
        conversationId,
        runId,
        model,
        thinkingLevel,
        now: page.now(),
        parentId: branch.at(-1)?.id ?? null,
        ...(message && { entry: message }),
        ...(newConversation && { newConversation }),
      };
      const { conversation, entry } = await storeRunStart(runStart);
      const base = entry ?? branch.at(-1);
      const session = sessions.start({
        conversationId,
        runId,
        model: { ...model, ...apiOf(model) },
        start,
        ...(base && { base }),
      });
      announceChange({ kind: "conversation", id: conversationId });
      void settings
        .getState()
        .set({ lastModel: model })
        .catch(() => {});
      void askToPersist();
      return { conversation, session, ...(entry && { entry }) };
    },

    async resume({ conversation, branch, run }) {
      if (!run) return undefined;
      const base = branch.find((entry) => entry.id === conversation.activeRun?.baseId);
      const model = conversation.model ?? { provider: "unknown", id: "unknown" };
      const mayBeUnknown =
        run.state.lastSeq === 0 &&
        run.createdAt !== undefined &&
        page.now() - run.createdAt < REPOST_WITHIN_MS;
      if (mayBeUnknown) await Promise.all([models.getState().load(), settings.getState().load()]);
      const start = mayBeUnknown
        ? request(run.runId, conversation.id, model, conversation.thinkingLevel ?? "off", branch)
        : undefined;
      return (
        sessions.get(conversation.id) ??
        sessions.start({
          conversationId: conversation.id,
          runId: run.runId,
          model: { ...model, ...apiOf(model) },
          restored: run,
          ...(base && { base }),
          ...(start && { start }),
        })
      );
    },
  };
}

import { createStore } from "zustand/vanilla";
import { createRunClient } from "../run-client";
import { createRunSessions } from "../run-sessions";
import { type ConversationStore, conversationStore } from "../stores/conversation";
import { type ConversationsStore, conversationsStore } from "../stores/conversations";
import { type ModelsStore, modelsStore } from "../stores/models";
import { type SettingsStore, settingsStore } from "../stores/settings";
import { FakePage } from "./fake-page";
import type { FakeServer } from "./fake-server";

const MODELS = {
  providers: [
    provider(
      "openai",
      { configured: false, needsKey: true, baseUrl: "https://api.openai.com/v1" },
      ["gpt-5"],
    ),
    provider("demo", { configured: true, needsKey: false, baseUrl: "demo:" }, ["demo-1", "demo-2"]),
  ],
  tools: [
    { name: "calculate", label: "Calculate", description: "Computes." },
    { name: "get_current_time", label: "Time", description: "Tells the time." },
  ],
};

function provider(
  id: string,
  rest: { configured: boolean; needsKey: boolean; baseUrl: string },
  modelIds: string[],
) {
  const models = modelIds.map((modelId) => ({
    id: modelId,
    name: modelId.toUpperCase(),
    api: id === "demo" ? "demo" : "openai-responses",
    reasoning: true,
    thinkingLevels: ["off", "low", "high", "xhigh"],
    input: ["text", "image"],
    contextWindow: 200_000,
    maxTokens: 32_000,
  }));
  return { id, name: id, keyEnv: [], ...rest, models };
}

/** The stores of one tab over a fake server and page. */
export function openTab(server: FakeServer) {
  const page = new FakePage();
  const client = createRunClient({ fetch: server.fetch });
  const sessions = createRunSessions({ client, page });
  const models = createStore<ModelsStore>()(modelsStore(async () => Response.json(MODELS)));
  const settings = createStore<SettingsStore>()(settingsStore());
  const conversation = createStore<ConversationStore>()(
    conversationStore({ client, page, sessions, models, settings }),
  );
  const conversations = createStore<ConversationsStore>()(conversationsStore({ sessions, page }));
  return { page, sessions, models, settings, conversation, conversations };
}

export type Tab = ReturnType<typeof openTab>;

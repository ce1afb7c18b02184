import type { Page } from "@playwright/test";
import type { KnownApi } from "@/lib/ai/types";
import type { ReplayServer } from "@/scripts/replay-server";
import { Chat } from "./chat";

/** A catalog model for each wire API. */
export const modelFor: Record<KnownApi, { provider: string; id: string; name: string }> = {
  "openai-responses": { provider: "openai", id: "gpt-5", name: "GPT-5" },
  "openai-completions": {
    provider: "deepseek",
    id: "deepseek-v4-pro",
    name: "DeepSeek V4 Pro",
  },
  "anthropic-messages": {
    provider: "anthropic",
    id: "claude-haiku-4-5",
    name: "Claude Haiku 4.5 (latest)",
  },
  "google-generative-ai": {
    provider: "google",
    id: "gemini-3-flash-preview",
    name: "Gemini 3 Flash Preview",
  },
};

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** Chooses the model that speaks an API. */
export async function chooseApi(page: Page, api: KnownApi): Promise<void> {
  const { id, name } = modelFor[api];
  await new Chat(page).chooseModel(id, new RegExp(`^${escaped(name)}(?![\\w.-])`));
}

/** Points the provider of the Chat Completions model at the replay server, with a key, as a person does in the settings. */
export async function useOwnEndpoint(page: Page, vendor: ReplayServer): Promise<void> {
  await page.goto("/settings");
  const provider = page.getByRole("group", { name: "DeepSeek" });
  await provider.scrollIntoViewIfNeeded();
  await provider.getByRole("textbox", { name: "API key" }).fill("own-key-for-deepseek");
  await provider
    .getByRole("textbox", { name: "Base URL" })
    .fill(vendor.baseUrl("openai-completions"));
  await provider.getByRole("button", { name: "Save" }).click();
  await provider.getByRole("button", { name: "Remove" }).waitFor();
}

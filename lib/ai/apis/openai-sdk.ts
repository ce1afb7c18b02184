import { once } from "../once.ts";

/** OpenAI's SDK, loaded with the first request that needs it. */
export const loadOpenAI = once(async () => (await import("openai")).default);

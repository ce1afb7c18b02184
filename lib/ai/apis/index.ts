import { lazyApi } from "../lazy.ts";
import { once } from "../once.ts";
import type { ApiImplementation, KnownApi } from "../types.ts";

/** Every wire API that has an adapter. None is loaded, nor its SDK, before its first request. */
export const apis: Record<KnownApi, ApiImplementation> = {
  "openai-responses": lazyApi(
    once(() => import("./openai-responses/index.ts")),
    {
      deferred: true,
    },
  ),
  "openai-completions": lazyApi(once(() => import("./openai-completions/index.ts"))),
  "anthropic-messages": lazyApi(once(() => import("./anthropic-messages/index.ts"))),
  "google-generative-ai": lazyApi(once(() => import("./google-generative-ai/index.ts"))),
};

/** The adapter of a wire API. @throws for an api that has none */
export function apiImplementation(api: string): ApiImplementation {
  if (!Object.hasOwn(apis, api)) throw new Error(`There is no adapter for the api ${api}.`);
  return apis[api as KnownApi];
}

import type { KnownApi } from "@/lib/ai/types";

interface Endpoint {
  /** What a base URL ends with, as the vendor's SDK expects it. */
  basePath: string;
  /** What a request's path ends with. */
  requestPath: RegExp;
}

const endpoints: Record<KnownApi, Endpoint> = {
  "openai-responses": { basePath: "/v1", requestPath: /\/responses$/ },
  "openai-completions": { basePath: "/v1", requestPath: /\/chat\/completions$/ },
  // The SDK adds the version itself.
  "anthropic-messages": { basePath: "", requestPath: /\/v1\/messages$/ },
  "google-generative-ai": {
    basePath: "/v1beta",
    requestPath: /\/models\/[^/]+:streamGenerateContent$/,
  },
};

export const knownApis = Object.keys(endpoints) as KnownApi[];

export function isKnownApi(name: string): name is KnownApi {
  return Object.hasOwn(endpoints, name);
}

/** The base URL of an API below an origin or any prefix. */
export function apiBaseUrl(api: KnownApi, origin: string): string {
  return `${origin}${endpoints[api].basePath}`;
}

/** The API that a request's path belongs to. */
export function apiOfPath(path: string): KnownApi | undefined {
  return knownApis.find((api) => endpoints[api].requestPath.test(path));
}

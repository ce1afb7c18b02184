import { isAnthropicHost } from "../apis/anthropic-messages/compat.ts";
import { mergeHeaders } from "../models.ts";
import type { Api, Headers } from "../types.ts";
import { isRecord, text } from "../vendor-json.ts";

/** Where models are listed, and the wire api that a model is asked through unless its own facts say otherwise. */
export interface ListEndpoint {
  provider: string;
  api: Api;
  baseUrl: string;
}

/**
 * The address of a page of an endpoint's list.
 * @param page what the page before said of the next one
 */
export function listUrl({ api, baseUrl }: ListEndpoint, page?: string): string {
  const [address = "", query] = baseUrl.split("?", 2);
  const bare = address.replace(/\/+$/, "");
  const params = new URLSearchParams(query);
  switch (api) {
    case "anthropic-messages":
      params.set("limit", "1000");
      if (page) params.set("after_id", page);
      return `${bare.replace(/\/v1$/, "")}/v1/models?${params}`;
    case "google-generative-ai":
      params.set("pageSize", "1000");
      if (page) params.set("pageToken", page);
      return `${bare}/models?${params}`;
    default:
      return `${bare}/models${params.size > 0 ? `?${params}` : ""}`;
  }
}

/** What names the next page, where an answer says that there is one. */
export function nextPage(body: unknown): string | undefined {
  if (!isRecord(body)) return undefined;
  const token = text(body.nextPageToken) || (body.has_more === true ? text(body.last_id) : "");
  return token.length > 0 && token.length <= 2000 ? token : undefined;
}

/** An address of the server's own below its root, beside the compatible api under `/v1`. */
export function rootUrl({ baseUrl }: ListEndpoint, path: string): string {
  const bare = (baseUrl.split("?", 1)[0] ?? "").replace(/\/+$/, "");
  return `${bare.replace(/\/v1$/, "")}${path}`;
}

/** Headers of a list's request; the given ones win, null removes one. */
export function listHeaders(
  endpoint: ListEndpoint,
  apiKey: string | undefined,
  given: Headers | undefined,
): Record<string, string> {
  const merged = mergeHeaders(
    { accept: "application/json", "user-agent": "Rill", ...credentials(endpoint, apiKey) },
    given,
  );
  return Object.fromEntries(
    Object.entries(merged).filter((entry): entry is [string, string] => entry[1] != null),
  );
}

function credentials({ api, baseUrl }: ListEndpoint, key: string | undefined): Headers {
  const bearer: Headers = key ? { authorization: `Bearer ${key}` } : {};
  switch (api) {
    case "anthropic-messages": {
      const version = {
        "anthropic-version": "2023-06-01",
        ...(typeof window !== "undefined" && {
          "anthropic-dangerous-direct-browser-access": "true",
        }),
      };
      if (!key) return version;
      if (key.startsWith("sk-ant-oat")) {
        return { ...version, ...bearer, "anthropic-beta": "oauth-2025-04-20" };
      }
      // Some compatible hosts read one, some the other.
      return { ...version, "x-api-key": key, ...(isAnthropicHost(baseUrl) ? {} : bearer) };
    }
    case "google-generative-ai":
      return key ? { "x-goog-api-key": key } : {};
    default:
      return bearer;
  }
}

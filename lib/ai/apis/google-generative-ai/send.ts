import { requestKey } from "../../api-key.ts";
import { mergeHeaders } from "../../models.ts";
import { once } from "../../once.ts";
import type { Attempt } from "../../send.ts";
import type { Model, Headers as OurHeaders } from "../../types.ts";
import type { GoogleOptions } from "./options.ts";

const loadGoogleGenAI = once(async () => (await import("@google/genai")).GoogleGenAI);

const keyHeader = "x-goog-api-key";

/** The key of a request; undefined where a header stands in for it or the host is local. @throws when there is none */
export function googleKey(model: Model, options: GoogleOptions): string | undefined {
  const given = mergeHeaders(model.headers, options.headers);
  return requestKey(model, options.apiKey, given, [keyHeader, "authorization"]);
}

/**
 * One attempt through the vendor's SDK, which builds the address, signs and sends. It reads the stream by itself, so the
 * response is taken where it passes the `fetch` that we give it, and the SDK gets an empty one.
 * @returns the response with its body unread, failed ones too
 */
export async function postContents(
  body: unknown,
  model: Model,
  options: GoogleOptions,
  attempt: Attempt,
): Promise<Response> {
  const GoogleGenAI = await loadGoogleGenAI();
  const key = googleKey(model, options);
  let response: Response | undefined;
  const send: typeof globalThis.fetch = async (address, init) => {
    response = await attempt.fetch(address, {
      ...init,
      headers: finalHeaders(new Headers(init?.headers), key, model, options),
      body: JSON.stringify(body),
    });
    return new Response(null);
  };
  const client = new GoogleGenAI({
    apiKey: key ?? "none",
    vertexai: false,
    httpOptions: { baseUrl: model.baseUrl.replace(/\/+$/, ""), apiVersion: "", fetch: send },
  });
  await client.models.generateContentStream({
    model: model.id.split("/").map(encodeURIComponent).join("/"),
    // Stands in for the body, which is put in place above: the SDK's own form knows fewer fields than the vendor sends us.
    contents: " ",
    config: { abortSignal: attempt.signal, automaticFunctionCalling: { disable: true } },
  });
  if (!response) throw new Error("The SDK made no request.");
  return response;
}

/** The SDK's headers without what they tell of this machine, then ours; null removes one. */
function finalHeaders(
  headers: Headers,
  key: string | undefined,
  model: Model,
  options: GoogleOptions,
): Record<string, string> {
  const layers: OurHeaders = mergeHeaders(
    Object.fromEntries(headers),
    { "user-agent": null, "x-goog-api-client": null, [keyHeader]: key ?? null },
    model.headers,
    options.headers,
  );
  return Object.fromEntries(
    Object.entries(layers).filter((entry): entry is [string, string] => entry[1] != null),
  );
}

import { normalizeContext } from "@/lib/ai/transcript";
import type {
  ApiImplementation,
  AssistantMessage,
  AssistantMessageEvent,
  Model,
} from "@/lib/ai/types";
import { apiBaseUrl, isKnownApi, type ReplayServer, type Split } from "../replay-server";
import type { WireCase } from "./wire-case";

type WithoutPartial<T> = T extends unknown ? Omit<T, "partial"> : never;

export interface Playback {
  events: WithoutPartial<AssistantMessageEvent>[];
  message: AssistantMessage;
}

export interface PlayOptions {
  /** Where the body is cut into chunks; default: one chunk. */
  split?: Split;
  /** Whether the connection stays open, in silence, after the body. */
  thenSilence?: boolean;
  /** Sees each event as it comes, with its live `partial`. */
  observe?: (event: AssistantMessageEvent) => void;
}

/** No recorded answer takes longer; an adapter that does hangs. */
const patienceMs = 60_000;

/** Plays a recorded answer through an adapter and its SDK, over the server. @throws when no final message comes */
export async function playCase(
  wireCase: WireCase,
  server: ReplayServer,
  implementation: ApiImplementation,
  options: PlayOptions = {},
): Promise<Playback> {
  const path = `/${encodeURIComponent(wireCase.name)}` as const;
  const { status, contentType, headers } = wireCase.meta;
  server.answer(path, {
    status,
    contentType,
    headers: withoutFraming(headers),
    body: wireCase.body,
    split: options.split,
    ending: options.thenSilence ? "silence" : "end",
  });
  const impatience = new AbortController();
  const timer = setTimeout(() => impatience.abort(), patienceMs);
  try {
    const stream = implementation.streamSimple(
      recordedModel(wireCase, server.origin + path),
      normalizeContext({ messages: [{ role: "user", content: "hi", timestamp: 0 }] }),
      { apiKey: "test", maxRetries: 0, signal: impatience.signal },
    );
    const events: Playback["events"] = [];
    for await (const event of stream) {
      options.observe?.(event);
      events.push(withoutPartial(event));
    }
    const last = events.at(-1)?.type;
    if (last !== "done" && last !== "error") throw new Error("The stream has no last event.");
    return { events, message: await stream.result() };
  } finally {
    clearTimeout(timer);
  }
}

/** The model that was asked, as far as a recording tells. The provider's id stays: what a host can do is known by it. */
function recordedModel({ meta }: WireCase, origin: string): Model {
  if (!isKnownApi(meta.api)) throw new Error(`meta.json: there is no api "${meta.api}".`);
  return {
    id: meta.model,
    name: meta.model,
    api: meta.api,
    provider: meta.provider,
    baseUrl: apiBaseUrl(meta.api, origin),
    reasoning: true,
    input: ["text", "image"],
    contextWindow: 1_000_000,
    maxTokens: 64_000,
  };
}

function withoutPartial(event: AssistantMessageEvent): WithoutPartial<AssistantMessageEvent> {
  if (!("partial" in event)) return event;
  const { partial: _, ...rest } = event;
  return rest;
}

/** The server frames the body itself. */
function withoutFraming(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) =>
        !/^(content-length|content-encoding|content-type|transfer-encoding|connection|keep-alive)$/i.test(
          name,
        ),
    ),
  );
}

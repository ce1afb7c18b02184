/** The run API over HTTP. One request per call; who follows a run through cuts and reloads is follow-run.ts. */

import * as z from "zod/mini";
import type { ErrorClass, UserMessage } from "@/lib/ai/types";
import type { RunEvent } from "@/lib/run/events";
import type { RunRequest, ToolAnswer } from "@/lib/run/request";
import { decodeRunEvents } from "@/lib/run/sse";
import type { RunFailure } from "./failure";
import { endOnSilence } from "./silence";

/**
 * A call that failed. `outcome` says what it means for the run:
 * - "refused": the server answered no; asking again gives the same answer.
 * - "lost": the server does not know the run (any more).
 * - "unsure": no answer, or one that may be better the next time.
 */
export class RunCallError extends Error {
  override readonly name = "RunCallError";
  readonly failure: RunFailure;
  readonly outcome: "refused" | "lost" | "unsure";

  constructor(failure: RunFailure, outcome: "refused" | "lost" | "unsure") {
    super(failure.message);
    this.failure = failure;
    this.outcome = outcome;
  }
}

/** The connection is well, and what came over it is not a log of a run. */
export class UnreadableLogError extends Error {
  override readonly name = "UnreadableLogError";
}

/** All calls reject with a RunCallError, or with the signal's reason when it is aborted. */
export interface RunClient {
  /**
   * Starts the run, or attaches to it when the id was posted before. The events come from number 1.
   * `apiKey` is the person's own key for the vendor: it goes into a header and nowhere else.
   */
  start(
    request: RunRequest,
    apiKey: string | undefined,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<RunEvent>>;
  /** The events after that number. */
  attach(runId: string, afterSeq: number, signal: AbortSignal): Promise<AsyncGenerator<RunEvent>>;
  abort(runId: string, signal?: AbortSignal): Promise<void>;
  /** Sends a message into the run. Safe to repeat: one of the same id is taken once. */
  postMessage(
    runId: string,
    message: { id: string; message: UserMessage; mode: "steer" | "followUp" },
    signal?: AbortSignal,
  ): Promise<void>;
  /** Allows or denies a call that waits for it, or gives the result of a tool that runs in the browser. */
  answerTool(runId: string, toolCallId: string, answer: ToolAnswer): Promise<void>;
}

export interface RunClientOptions {
  fetch?: typeof globalThis.fetch;
  /** No byte for so long, heartbeats included, means that the connection is dead. Default 45 s: three heartbeats. */
  silenceMs?: number;
}

export function createRunClient(options: RunClientOptions = {}): RunClient {
  const { silenceMs = 45_000 } = options;

  async function call(path: string, init: RequestInit, apiKey?: string): Promise<Response> {
    const fetch = options.fetch ?? globalThis.fetch;
    let response: Response;
    try {
      response = await fetch(`/api/runs${path}`, { cache: "no-store", ...init });
    } catch (error) {
      if (init.signal?.aborted) throw init.signal.reason;
      throw new RunCallError(
        { class: "network", message: "Rill's server cannot be reached.", ...hint(error) },
        "unsure",
      );
    }
    if (!response.ok) throw await callError(response, apiKey);
    return response;
  }

  async function events(
    response: Response,
    signal: AbortSignal,
  ): Promise<AsyncGenerator<RunEvent>> {
    const contentType = response.headers.get("content-type") ?? "";
    if (!response.body || !contentType.startsWith("text/event-stream")) {
      await response.body?.cancel().catch(() => {});
      throw new RunCallError(
        {
          class: "network",
          message: "Something between this page and Rill's server answered in its place.",
          status: response.status,
          code: "not-an-event-stream",
        },
        "refused",
      );
    }
    let bodyFailed = false;
    const body = endOnSilence(response.body, silenceMs, signal, () => {
      bodyFailed = true;
    });
    return readableEvents(body, () => bodyFailed);
  }

  return {
    async start(request, apiKey, signal) {
      const headers: Record<string, string> = { "content-type": "application/json" };
      if (apiKey) headers["x-provider-key"] = apiKey;
      const response = await call(
        "",
        { method: "POST", headers, body: JSON.stringify(request), signal },
        apiKey,
      );
      return events(response, signal);
    },
    async attach(runId, afterSeq, signal) {
      const path = `/${encodeURIComponent(runId)}/events?after=${afterSeq}`;
      return events(await call(path, { signal }), signal);
    },
    async abort(runId, signal) {
      await call(`/${encodeURIComponent(runId)}/abort`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: "{}",
        ...(signal && { signal }),
      });
    },
    async postMessage(runId, message, signal) {
      await call(`/${encodeURIComponent(runId)}/messages`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(message),
        ...(signal && { signal }),
      });
    },
    async answerTool(runId, toolCallId, answer) {
      const path = `/${encodeURIComponent(runId)}/tools/${encodeURIComponent(toolCallId)}`;
      await call(path, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(answer),
      });
    },
  };
}

async function* readableEvents(
  body: ReadableStream<Uint8Array>,
  bodyFailed: () => boolean,
): AsyncGenerator<RunEvent> {
  try {
    yield* decodeRunEvents(body);
  } catch (error) {
    if (bodyFailed()) throw error;
    throw new UnreadableLogError("An event of the run's log cannot be read.", { cause: error });
  }
}

function hint(error: unknown): { code?: string } {
  return error instanceof Error && error.name !== "TypeError" ? { code: error.name } : {};
}

const errorBody = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    field: z.optional(z.string()),
  }),
});

async function callError(response: Response, apiKey: string | undefined): Promise<RunCallError> {
  const { status } = response;
  const text = await response.text().catch(() => "");
  const parsed = z.safeParse(errorBody, parseJson(text));
  const failure: RunFailure = {
    class: classOf(status),
    status,
    message: `Rill's server answered with status ${status}.`,
  };
  if (parsed.success) {
    const { code, message, field } = parsed.data.error;
    failure.code = code;
    failure.message = withoutKey(message, apiKey);
    if (field !== undefined) failure.field = field;
  } else if (status === 413) {
    failure.message = "The conversation with its attachments is too large for Rill's server.";
  }
  const retryAfterSeconds = Number(response.headers.get("retry-after") ?? "");
  if (retryAfterSeconds > 0) failure.retryAfterMs = retryAfterSeconds * 1000;
  return new RunCallError(failure, outcomeOf(status));
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The server does not repeat keys; a box between might. */
function withoutKey(message: string, apiKey: string | undefined): string {
  return apiKey ? message.replaceAll(apiKey, "[key]") : message;
}

function classOf(status: number): ErrorClass {
  if (status === 401 || status === 403) return "auth";
  if (status === 404 || status === 410) return "not-found";
  if (status === 408 || status === 504) return "timeout";
  if (status === 429) return "rate-limit";
  if (status >= 500) return "overloaded";
  return "invalid-request";
}

function outcomeOf(status: number): "refused" | "lost" | "unsure" {
  if (status === 404 || status === 410) return "lost";
  if (status === 408 || status === 425 || status === 429 || status >= 500) return "unsure";
  return "refused";
}

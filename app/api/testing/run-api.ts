/** The real route handlers on a runtime of a test's own, with a scripted model behind them. */

import { type ScriptedModel, testModel } from "@/lib/agent/testing/scripted-stream";
import { createProvider, type Provider } from "@/lib/ai/provider";
import type { AssistantMessageEventStream, SimpleStreamOptions } from "@/lib/ai/types";
import type { RunEvent } from "@/lib/run/events";
import { decodeRunEvents } from "@/lib/run/sse";
import { createCatalog } from "@/lib/server/catalog";
import { readConfig } from "@/lib/server/config";
import { createRuntime, type Runtime, replaceRuntime } from "@/lib/server/runtime";
import { POST as abort } from "../runs/[runId]/abort/route";
import { GET as events } from "../runs/[runId]/events/route";
import { POST as postMessage } from "../runs/[runId]/messages/route";
import { POST as answerTool } from "../runs/[runId]/tools/[toolCallId]/route";
import { POST as start } from "../runs/route";

type StreamSimple = (
  ...args: Parameters<ScriptedModel["streamFn"]>
) => AssistantMessageEventStream | Promise<AssistantMessageEventStream>;

export function scriptedProvider(streamFn: StreamSimple): Provider {
  const streamSimple = streamFn as Provider["streamSimple"];
  return createProvider({
    id: testModel.provider,
    name: "Test",
    baseUrl: testModel.baseUrl,
    needsKey: false,
    models: [testModel],
    api: { stream: streamSimple as Provider["stream"], streamSimple },
  });
}

/** Puts a runtime in place whose environment and models are the test's. */
export function useRuntime(
  providers: Provider[] | undefined,
  env: Record<string, string> = {},
): Runtime {
  const config = readConfig(env);
  const made = createRuntime(config, createCatalog(config, providers));
  replaceRuntime(made);
  return made;
}

export const runBody = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  runId: "run-00000001",
  model: { provider: testModel.provider, id: testModel.id },
  thinkingLevel: "off",
  context: { messages: [{ role: "user", content: "hi", timestamp: 1 }] },
  ...change,
});

interface CallOptions {
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

function post(path: string, body: unknown, { headers, signal }: CallOptions): Request {
  return new Request(`http://localhost:3000/api/runs${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  });
}

export const startRun = (body: unknown, options: CallOptions = {}): Promise<Response> =>
  start(post("", body, options));

export const readEvents = (
  runId: string,
  query = "",
  { headers, signal }: CallOptions = {},
): Promise<Response> =>
  events(
    new Request(`http://localhost:3000/api/runs/${runId}/events${query}`, { headers, signal }),
    { params: Promise.resolve({ runId }) },
  );

export const abortRun = (runId: string): Promise<Response> =>
  abort(new Request(`http://localhost:3000/api/runs/${runId}/abort`, { method: "POST" }), {
    params: Promise.resolve({ runId }),
  });

export const sendMessage = (runId: string, body: unknown): Promise<Response> =>
  postMessage(post(`/${runId}/messages`, body, {}), { params: Promise.resolve({ runId }) });

export const sendAnswer = (runId: string, toolCallId: string, body: unknown): Promise<Response> =>
  answerTool(post(`/${runId}/tools/${toolCallId}`, body, {}), {
    params: Promise.resolve({ runId, toolCallId }),
  });

export function eventsOf(response: Response): AsyncGenerator<RunEvent> {
  if (!response.body) throw new Error("There is no body.");
  return decodeRunEvents(response.body);
}

/** All events to the end of the log. */
export async function allEvents(response: Response): Promise<RunEvent[]> {
  const all: RunEvent[] = [];
  for await (const event of eventsOf(response)) all.push(event);
  return all;
}

/** The next event of a type; the ones before are passed over. */
export async function nextOf<Type extends RunEvent["type"]>(
  source: AsyncGenerator<RunEvent>,
  type: Type,
): Promise<Extract<RunEvent, { type: Type }>> {
  for (;;) {
    const { value, done } = await source.next();
    if (done) throw new Error(`The log ended without ${type}.`);
    if (value.type === type) return value as Extract<RunEvent, { type: Type }>;
  }
}

/** Holds an answer back until it is opened or the request is aborted. */
export function hold(): {
  wait: (options: SimpleStreamOptions) => Promise<void>;
  open: () => void;
} {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const wait = (options: SimpleStreamOptions): Promise<void> =>
    Promise.race([
      opened,
      new Promise<void>((resolve) => options.signal?.addEventListener("abort", () => resolve())),
    ]);
  return { wait, open };
}

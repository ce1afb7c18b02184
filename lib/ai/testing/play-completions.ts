import { afterEach } from "vitest";
import { streamSimple } from "../apis/openai-completions/index.ts";
import type { Compat } from "../compat.ts";
import type {
  Context,
  Model,
  SimpleStreamOptions,
  StreamFunction,
  Tool,
  ToolCall,
} from "../types.ts";
import { streamBody } from "./completions-chunks.ts";
import { hello, readAll, type StreamRun, testModel, transcript } from "./run-stream.ts";
import { startVendor, type VendorAnswer, type VendorServer } from "./vendor-server.ts";

export interface PlayOptions {
  options?: SimpleStreamOptions;
  model?: Partial<Model>;
  compat?: Compat<"openai-completions">;
  tools?: Tool[];
}

let vendor: VendorServer | undefined;
afterEach(async () => {
  await vendor?.stop();
  vendor = undefined;
});

/** Plays an answer through the Chat Completions adapter and its SDK. */
export async function playAnswer(
  answer: VendorAnswer,
  { options, model, compat, tools }: PlayOptions = {},
): Promise<StreamRun> {
  vendor = await startVendor(answer);
  const run = await readAll(
    streamSimple(
      testModel({
        api: "openai-completions",
        id: "test-model",
        provider: "openai",
        baseUrl: `${vendor.origin}/v1`,
        compat,
        ...model,
      }),
      transcript({ ...hello, tools }),
      { apiKey: "key-1", maxRetries: 0, ...options },
    ),
  );
  await vendor.stop();
  vendor = undefined;
  return run;
}

/** Plays the chunks of a whole stream. */
export const play = (events: unknown[], options?: PlayOptions): Promise<StreamRun> =>
  playAnswer({ body: streamBody(events) }, options);

export const callsOf = ({ message }: StreamRun): ToolCall[] =>
  message.content.filter((block) => block.type === "toolCall");
export const typesOf = ({ events }: StreamRun): string[] => events.map((event) => event.type);

export interface CapturedRequest {
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown> & { messages: Record<string, unknown>[] };
}

export type CaptureOptions = Omit<PlayOptions, "tools">;

/** The request that the adapter and its SDK would send; nothing leaves. @throws when none is made */
export async function capture(
  context: Context,
  { options, model, compat }: CaptureOptions = {},
  start: StreamFunction = streamSimple,
): Promise<CapturedRequest> {
  const captured: CapturedRequest[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    captured.push({
      url: String(input),
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: JSON.parse(String(init?.body)) as CapturedRequest["body"],
    });
    return new Response(streamBody([]), { headers: { "content-type": "text/event-stream" } });
  };
  const message = await start(
    testModel({
      api: "openai-completions",
      id: "test-model",
      provider: "openai",
      baseUrl: "https://api.openai.com/v1",
      reasoning: false,
      compat,
      ...model,
    }),
    transcript(context),
    { apiKey: "key-1", fetch, ...options },
  ).result();
  const request = captured[0];
  if (!request) throw new Error(message.errorMessage);
  return request;
}

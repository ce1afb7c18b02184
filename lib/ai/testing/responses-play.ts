import { streamSimple } from "../apis/openai-responses/index.ts";
import type { Model, SimpleStreamOptions, Tool } from "../types.ts";
import type { ResponseEvent } from "./responses-events.ts";
import { hello, readAll, type StreamRun, testModel, transcript } from "./run-stream.ts";
import { sse, startVendor, type VendorAnswer } from "./vendor-server.ts";

/** Reads one answer of a Responses endpoint through the adapter and its SDK. */
export async function play(
  answer: VendorAnswer,
  options: SimpleStreamOptions = {},
  model: Partial<Model> = {},
  tools?: Tool[],
): Promise<StreamRun> {
  const vendor = await startVendor(answer);
  const run = await readAll(
    streamSimple(
      testModel({
        api: "openai-responses",
        id: "gpt-test",
        provider: "openai",
        baseUrl: `${vendor.origin}/v1`,
        ...model,
      }),
      transcript({ ...hello, tools }),
      { apiKey: "key-1", maxRetries: 0, ...options },
    ),
  );
  await vendor.stop();
  return run;
}

export const playEvents = (
  events: ResponseEvent[],
  options?: SimpleStreamOptions,
): Promise<StreamRun> => play({ body: sse(events, true) }, options);

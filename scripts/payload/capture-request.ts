import { redactHeaders, redactUrl } from "@/lib/ai/redact";
import { normalizeContext } from "@/lib/ai/transcript";
import type { ApiImplementation, Context, Model, SimpleStreamOptions } from "@/lib/ai/types";

export interface CapturedRequest {
  method: string;
  url: string;
  /** Without secrets. */
  headers: Record<string, string>;
  /** Parsed; the text where it is not JSON. */
  body: unknown;
}

/** Lets an adapter make its request and keeps it. Nothing leaves the process. @throws when no request was made */
export async function captureRequest(
  implementation: ApiImplementation,
  model: Model,
  context: Context,
  options: SimpleStreamOptions,
): Promise<CapturedRequest> {
  let captured: CapturedRequest | undefined;
  const capture: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    captured ??= {
      method: request.method,
      url: redactUrl(request.url),
      headers: redactHeaders(request.headers),
      body: parse(await request.text()),
    };
    return Response.json(
      { error: { message: "The request was kept, not sent." } },
      { status: 400 },
    );
  };
  // For an SDK that takes the global fetch and no other.
  const original = globalThis.fetch;
  globalThis.fetch = capture;
  try {
    const stream = implementation.streamSimple(model, normalizeContext(context), {
      apiKey: "test-key",
      ...options,
      maxRetries: 0,
      fetch: capture,
    });
    const message = await stream.result();
    if (!captured) throw new Error(message.errorMessage ?? "The adapter made no request.");
    return captured;
  } finally {
    globalThis.fetch = original;
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

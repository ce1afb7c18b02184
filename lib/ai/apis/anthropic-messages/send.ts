import { errorStatus } from "../../errors.ts";
import { once } from "../../once.ts";
import type { Attempt } from "../../send.ts";
import type { Headers, JsonSchema, Model } from "../../types.ts";
import { isRecord } from "../../vendor-json.ts";

const loadAnthropic = once(async () => (await import("@anthropic-ai/sdk")).default);

/** The SDK's timer would count from the request's start; our guard watches for silence instead. */
const noTimeout = 2 ** 31 - 1;

/** One attempt through the vendor's SDK. Gives the response with its body unread. @throws what the SDK throws */
export async function postMessage(
  body: unknown,
  model: Model,
  headers: Headers,
  attempt: Attempt,
): Promise<Response> {
  const Anthropic = await loadAnthropic();
  const client = new Anthropic({
    // The SDK is given no real key: credentials are among the headers, and without any it would look for some on disk.
    apiKey: "none",
    baseURL: model.baseUrl.replace(/\/+$/, "").replace(/\/v1$/, ""),
    fetch: attempt.fetch,
    maxRetries: 0,
    timeout: noTimeout,
    logLevel: "off",
    dangerouslyAllowBrowser: true,
    openTelemetry: false,
  });
  return client
    .post("/v1/messages", { body, headers, signal: attempt.signal, stream: true })
    .asResponse();
}

/** Whether the vendor refused a request because its strict tools are too many or too complex. */
export function isStrictLimit(error: unknown): boolean {
  return (
    errorStatus(error) === 400 &&
    error instanceof Error &&
    /too many strict tools|too complex for compilation|too many optional param|grammar compilation|strict.{0,40}not supported/i.test(
      error.message,
    )
  );
}

/** The same body with all tools that merely prefer strictness made ordinary, or undefined when there are none. */
export function withoutPreferredStrict(
  body: unknown,
  preferred: Map<string, JsonSchema>,
): unknown | undefined {
  if (!isRecord(body) || !Array.isArray(body.tools)) return undefined;
  let changed = false;
  const tools = body.tools.map((tool: unknown) => {
    const schema = isRecord(tool) && preferred.get(String(tool.name));
    if (!isRecord(tool) || !schema || !tool.strict) return tool;
    const { strict: _strict, ...ordinary } = tool;
    changed = true;
    return { ...ordinary, input_schema: schema };
  });
  return changed ? { ...body, tools } : undefined;
}

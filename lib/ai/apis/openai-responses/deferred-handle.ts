import { ProviderError } from "../../errors.ts";
import type { DeferredHandle, JsonSchema, Model, SimpleStreamOptions } from "../../types.ts";
import { isLoose, looseOf, numberOf } from "./loose.ts";
import type { RequestPlan } from "./request.ts";

const windows = { "15m": 15 * 60_000, "1h": 60 * 60_000, "24h": 24 * 60 * 60_000 };
const pollAfterMs = 2000;

/** How calls of a fetched answer are read: what differs from the vendor's own names, kept in the handle. */
export type ReadingPlan = Pick<RequestPlan, "names" | "customTools" | "strictTools">;

/**
 * The handle of a submitted response. It holds all that reading the answer takes, so that another process can fetch it.
 * @param names our names of the tools that the request told
 */
export function createHandle(
  model: Model,
  id: string,
  submittedAt: number,
  deferred: SimpleStreamOptions["deferred"],
  plan: ReadingPlan,
  names: string[],
): DeferredHandle {
  const window = typeof deferred === "object" ? deferred.window : "24h";
  const renamed = names.map((name) => [plan.names.toVendor(name), name]);
  return {
    provider: model.provider,
    modelId: model.id,
    api: model.api,
    id,
    expiresAt: submittedAt + windows[window],
    pollAfterMs,
    data: {
      submittedAt,
      toolNames: Object.fromEntries(renamed.filter(([vendorName, name]) => vendorName !== name)),
      customTools: Object.fromEntries(plan.customTools),
      strictTools: Object.fromEntries(plan.strictTools),
    },
  };
}

/** @throws ProviderError when the handle is another model's, or has expired: no request is made then (P-304, P-310) */
export function checkHandle(model: Model, handle: DeferredHandle, now = Date.now()): void {
  const { provider, modelId, api } = handle;
  if (provider !== model.provider || modelId !== model.id || api !== model.api) {
    throw new ProviderError(
      `The deferred answer belongs to ${modelId} of ${provider}, not to ${model.id} of ${model.provider}.`,
      { errorClass: "invalid-request" },
    );
  }
  if (handle.expiresAt !== undefined && handle.expiresAt <= now) {
    throw new ProviderError(
      `The deferred answer expired at ${new Date(handle.expiresAt).toISOString()}.`,
      { errorClass: "not-found" },
    );
  }
}

/** When the answer was asked for, ms since the epoch. */
export function submittedAt(handle: DeferredHandle): number | undefined {
  return numberOf(handle.data?.submittedAt);
}

export function readingPlan(handle: DeferredHandle): ReadingPlan {
  const data = looseOf(handle.data);
  const strings = (value: unknown): [string, string][] =>
    Object.entries(looseOf(value)).filter(
      (entry): entry is [string, string] => typeof entry[1] === "string",
    );
  const toolNames = new Map(strings(data.toolNames));
  const schemas = Object.entries(looseOf(data.strictTools)).filter(
    (entry): entry is [string, JsonSchema] => isLoose(entry[1]),
  );
  return {
    names: { toVendor: (name) => name, fromVendor: (name) => toolNames.get(name) ?? name },
    customTools: new Map(strings(data.customTools)),
    strictTools: new Map(schemas),
  };
}

/** The public list of models in the shape of models.dev's `api.json`: providers by id, each with models by id. */

import { readFile } from "node:fs/promises";
import * as z from "zod";

const size = z.number().nonnegative();
const prices = {
  input: size,
  output: size,
  cache_read: size.optional(),
  cache_write: size.optional(),
};
const cost = z.object({
  ...prices,
  tiers: z.array(z.object({ ...prices, tier: z.object({ type: z.string(), size }) })).optional(),
  context_over_200k: z.object(prices).optional(),
});
const model = z.object({
  id: z.string().min(1).max(300),
  name: z.string().max(300).optional(),
  reasoning: z.boolean().optional(),
  reasoning_options: z
    .array(z.object({ type: z.string(), values: z.array(z.string().nullable()).optional() }))
    .optional(),
  tool_call: z.boolean().optional(),
  status: z.string().optional(),
  modalities: z
    .object({ input: z.array(z.string()).optional(), output: z.array(z.string()).optional() })
    .optional(),
  cost: cost.optional(),
  limit: z.object({ context: size.optional(), output: size.optional() }).optional(),
  provider: z.object({ npm: z.string().optional() }).optional(),
});
const provider = z.object({ models: z.record(z.string(), z.unknown()) });
const list = z.record(z.string(), z.unknown());

export type PublicModel = z.infer<typeof model>;
export type PublicPrices = Omit<z.infer<typeof cost>, "tiers" | "context_over_200k">;

export interface PublicList {
  /** By the list's provider id. */
  providers: Map<string, PublicModel[]>;
  /** Entries that make no sense, each as a sentence. They are left out. */
  faults: string[];
}

/** @throws Error when the whole is no such list */
export function parsePublicList(body: unknown): PublicList {
  const outer = list.parse(body);
  const inner = list.safeParse(outer.providers);
  const result: PublicList = { providers: new Map(), faults: [] };
  for (const [id, entry] of Object.entries(inner.success ? inner.data : outer)) {
    const parsed = provider.safeParse(entry);
    if (!parsed.success) {
      result.faults.push(`${id}: no models`);
      continue;
    }
    result.providers.set(id, modelsOf(id, parsed.data.models, result.faults));
  }
  if ([...result.providers.values()].every((models) => models.length === 0)) {
    throw new Error("There are no models in the list.");
  }
  return result;
}

function modelsOf(
  providerId: string,
  entries: Record<string, unknown>,
  faults: string[],
): PublicModel[] {
  return Object.entries(entries).flatMap(([id, entry]) => {
    const named = typeof entry === "object" && entry !== null ? { id, ...entry } : entry;
    const parsed = model.safeParse(named);
    if (parsed.success) return [parsed.data];
    const issue = parsed.error.issues[0];
    faults.push(`${providerId}/${id}: ${issue?.path.join(".") || "entry"}: ${issue?.message}`);
    return [];
  });
}

/** @throws Error that names the place when it cannot be read */
export async function readPublicList(place: string): Promise<PublicList> {
  try {
    return parsePublicList(JSON.parse(await readPlace(place)));
  } catch (error) {
    throw new Error(`${place} cannot be read as a list of models: ${reason(error)}`);
  }
}

async function readPlace(place: string): Promise<string> {
  if (!/^https?:\/\//.test(place)) return readFile(place, "utf8");
  const response = await fetch(place, { signal: AbortSignal.timeout(60_000) });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.text();
}

function reason(error: unknown): string {
  if (error instanceof z.ZodError) return error.issues[0]?.message ?? "wrong shape";
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? `${error.message} (${error.cause.message})` : error.message;
}

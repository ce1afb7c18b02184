import * as z from "zod/mini";

// Compiled validators need `new Function`, which a page's content security policy forbids.
if (typeof window !== "undefined") z.config({ jitless: true });

export interface BadRow {
  store: string;
  key: string;
  /** Path and kind of the first problem; never a value of the row. */
  problem: string;
}

const badRows = new Map<string, BadRow>();

/** Rows that could not be read since the page was loaded. They are still stored, untouched. */
export function listBadRows(): BadRow[] {
  return [...badRows.values()];
}

/**
 * The row as it is stored, unknown fields included, or undefined when it does not fit; that is reported once and the
 * row stays in the database.
 */
export function parseRow<T>(
  schema: z.ZodMiniType,
  store: string,
  key: string,
  row: unknown,
): T | undefined {
  const parsed = z.safeParse(schema, row);
  if (parsed.success) return row as T;
  const issue = parsed.error.issues[0];
  const problem = `${issue?.path.map(String).join(".") || "row"}: ${issue?.code ?? "invalid"}`;
  const name = `${store}/${key}`;
  if (!badRows.has(name)) {
    badRows.set(name, { store, key, problem });
    console.warn(`Stored row ${name} cannot be read and is left out (${problem}).`);
  }
  return undefined;
}

/** What comes from a host: nothing is taken for granted. */
export type Loose = Record<string, unknown>;

export function isRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const SILENT = "It failed without saying why.";

/** Readable text for whatever was thrown: an Error, a string, an object, nothing at all. Never holds a stack. */
export function describeThrown(thrown: unknown): string {
  try {
    return readable(thrown) ?? SILENT;
  } catch {
    return SILENT;
  }
}

function readable(thrown: unknown): string | undefined {
  if (thrown === null || thrown === undefined) return undefined;
  if (typeof thrown === "function") return undefined;
  if (typeof thrown !== "object") return meaningful(String(thrown));
  if ("message" in thrown && typeof thrown.message === "string") {
    const message = meaningful(thrown.message);
    if (message) return message;
  }
  if (thrown instanceof Error) return meaningful(thrown.name);
  const json = JSON.stringify(thrown);
  return json === "{}" || json === "[]" ? undefined : meaningful(json);
}

function meaningful(text: string | undefined): string | undefined {
  const trimmed = text?.trim();
  return trimmed && trimmed !== "[object Object]" ? trimmed : undefined;
}

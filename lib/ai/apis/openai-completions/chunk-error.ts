import { ProviderError, vendorMessage } from "../../errors.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";

/**
 * The failure that an event of a stream tells, if it does: an `error` beside or instead of the choices, in the choice, as an
 * event of that name, or a bare error body.
 */
export function readChunkError(
  chunk: Loose,
  choice: Loose | undefined,
  eventName: string | undefined,
): ProviderError | undefined {
  if (isTold(chunk.error)) return failure(chunk.error, chunk);
  if (isTold(choice?.error)) return failure(choice?.error, chunk);
  return eventName === "error" || isBareError(chunk) ? failure(chunk, chunk) : undefined;
}

function isTold(error: unknown): boolean {
  return (
    (typeof error === "string" && error.trim() !== "") ||
    (isRecord(error) && Object.keys(error).length > 0)
  );
}

function isBareError(chunk: Loose): boolean {
  if (chunk.choices !== undefined || vendorMessage(chunk) === undefined) return false;
  return (
    chunk.object === "error" ||
    chunk.type === "error" ||
    chunk.errors !== undefined ||
    chunk.detail !== undefined ||
    (typeof chunk.message === "string" && (chunk.code ?? chunk.status ?? chunk.type) !== undefined)
  );
}

function failure(error: unknown, chunk: Loose): ProviderError {
  const body = isRecord(error) ? error : {};
  const metadata = isRecord(body.metadata) ? body.metadata : {};
  const message = vendorMessage(error) ?? textOf(chunk.message) ?? JSON.stringify(error);
  // OpenRouter hands on the words of the vendor behind it (P-216).
  const raw = textOf(metadata.raw);
  const status = [body.status_code, body.status, body.code, chunk.status]
    .map(Number)
    .find((code) => Number.isInteger(code) && code >= 400 && code < 600);
  const code = typeof body.code === "number" ? body.code : textOf(body.code);
  return new ProviderError(raw && !message.includes(raw) ? `${message}\n${raw}` : message, {
    status,
    code: code ?? textOf(body.type),
  });
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

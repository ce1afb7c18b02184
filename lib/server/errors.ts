import { InvalidRequestError } from "@/lib/run/request";

/** A failure that the caller is told as `{error: {code, message, field?}}` with this status. */
export class HttpError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly field?: string,
  ) {
    super(message);
    this.name = "HttpError";
  }
}

/** The answer for anything that a handler throws. What we did not foresee is logged by name only: its text may hold a secret. */
export function errorResponse(error: unknown): Response {
  const known = toHttpError(error);
  const body: { code: string; message: string; field?: string } = {
    code: known.code,
    message: known.message,
  };
  if (known.field !== undefined) body.field = known.field;
  return Response.json(
    { error: body },
    { status: known.status, headers: { "cache-control": "no-store" } },
  );
}

function toHttpError(error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  if (error instanceof InvalidRequestError) {
    return new HttpError(400, "invalid-request", error.message, error.field);
  }
  console.error(
    `Unexpected failure in a request: ${error instanceof Error ? error.name : typeof error}`,
  );
  return new HttpError(500, "internal", "Something went wrong on the server. Try again.");
}

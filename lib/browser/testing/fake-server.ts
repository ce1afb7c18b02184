import type { RunEvent } from "@/lib/run/events";
import type { RunRequest } from "@/lib/run/request";
import { encodeRunEvent } from "@/lib/run/sse";

interface Reader {
  controller: ReadableStreamDefaultController<Uint8Array>;
  next: number;
}

/** One run of the fake server: a log of which a part has happened already. */
export class FakeRun {
  readonly #log: RunEvent[];
  readonly #readers = new Set<Reader>();
  #happened = 0;
  /** What a reader is sent instead of the events from its place on; for gaps and repeats. */
  resend: (events: RunEvent[]) => RunEvent[] = (events) => events;

  constructor(log: RunEvent[]) {
    this.#log = log;
  }

  /** Lets the log grow up to that number of events; all of it by default. */
  release(until = this.#log.length): void {
    this.#happened = Math.max(this.#happened, Math.min(until, this.#log.length));
    for (const reader of [...this.#readers]) this.#serve(reader);
  }

  /** Replaces what has not happened yet. */
  continueWith(rest: RunEvent[]): void {
    this.#log.splice(this.#happened, this.#log.length, ...rest);
  }

  get happened(): number {
    return this.#happened;
  }

  get readers(): number {
    return this.#readers.size;
  }

  /** Breaks every open connection. */
  cut(): void {
    for (const { controller } of this.#readers) controller.error(new TypeError("network error"));
    this.#readers.clear();
  }

  /** Ends every open connection properly, as a proxy with a time limit does. */
  close(): void {
    for (const { controller } of this.#readers) controller.close();
    this.#readers.clear();
  }

  read(afterSeq: number, signal: AbortSignal | undefined): Response {
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        const reader: Reader = { controller, next: afterSeq };
        this.#readers.add(reader);
        signal?.addEventListener("abort", () => {
          if (this.#readers.delete(reader)) controller.error(signal.reason);
        });
        this.#serve(reader);
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  }

  #serve(reader: Reader): void {
    const events = this.resend(this.#log.slice(reader.next, this.#happened));
    reader.next = Math.max(reader.next, this.#happened);
    const text = events.map(encodeRunEvent).join("");
    if (text) reader.controller.enqueue(new TextEncoder().encode(text));
    if (events.some((event) => event.type === "agent_end")) {
      this.#readers.delete(reader);
      reader.controller.close();
    }
  }
}

export interface SeenRequest {
  method: string;
  path: string;
  headers: Headers;
  body: unknown;
}

/** The run API in memory, with the same rules as the real one, and ways to make it fail. */
export class FakeServer {
  readonly runs = new Map<string, FakeRun>();
  readonly requests: SeenRequest[] = [];
  /** Answers of the next requests; throwing stands for no answer at all. */
  readonly overrides: (() => Response | Promise<Response>)[] = [];
  /** The log of a run that is started. */
  script: (request: RunRequest) => RunEvent[] = () => [];
  /** How much of it has happened at once. */
  releaseAtStart = Number.POSITIVE_INFINITY;
  onAbort: (run: FakeRun) => void = () => {};

  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const path = String(input);
    const method = init?.method ?? "GET";
    const body: unknown = init?.body ? JSON.parse(String(init.body)) : undefined;
    this.requests.push({ method, path, headers: new Headers(init?.headers), body });
    await Promise.resolve();
    init?.signal?.throwIfAborted();
    const override = this.overrides.shift();
    if (override) return override();
    const signal = init?.signal ?? undefined;
    if (method === "POST" && path === "/api/runs") return this.#start(body as RunRequest, signal);
    const [, runId = "", rest = ""] = /^\/api\/runs\/([^/]+)\/(.*)$/.exec(path) ?? [];
    const run = this.runs.get(runId);
    if (!run) return errorAnswer(404, "not-found", "This run is not known.");
    if (method === "GET" && rest.startsWith("events")) {
      return run.read(Number(new URLSearchParams(rest.split("?")[1]).get("after")), signal);
    }
    if (rest === "abort") {
      this.onAbort(run);
      return new Response(null, { status: 204 });
    }
    return new Response(null, { status: 202 });
  };

  /** The bodies of POST /api/runs so far. */
  get started(): RunRequest[] {
    return this.requests
      .filter(({ method, path }) => method === "POST" && path === "/api/runs")
      .map(({ body }) => body as RunRequest);
  }

  #start(request: RunRequest, signal: AbortSignal | undefined): Response {
    let run = this.runs.get(request.runId);
    if (!run) {
      run = new FakeRun(this.script(request));
      run.release(this.releaseAtStart);
      this.runs.set(request.runId, run);
    }
    return run.read(0, signal);
  }
}

export function errorAnswer(status: number, code: string, message: string, field?: string) {
  return Response.json({ error: { code, message, ...(field && { field }) } }, { status });
}

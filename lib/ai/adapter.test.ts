import { describe, expect, it, vi } from "vitest";
import {
  type AdapterRooms,
  type Decoder,
  failMessage,
  pendingMessage,
  runAdapter,
} from "./adapter.ts";
import type { MessageBuilder } from "./message-builder.ts";
import { readAll, type StreamRun, testModel, transcript } from "./testing/run-stream.ts";
import type { AssistantMessage, Diagnostic, StreamOptions } from "./types.ts";

const model = testModel({ api: "a", id: "m", provider: "p", baseUrl: "https://a.example" });

interface Setup {
  /** The bodies of the answers, one an attempt; a number is a status. */
  answers?: (string | number)[];
  options?: StreamOptions;
  /** What the decoder does at the end; default: ends the answer with `stop`. */
  finish?: (message: AssistantMessage) => void;
  /** Sees what happens, in its order. */
  log?: string[];
}

const words = 'data: "One "\n\ndata: "two."\n\n';

/** An adapter of which every event is a piece of text. */
function roomsFor({ answers = [words], finish, log = [] }: Setup): AdapterRooms<StreamOptions> {
  let attempts = 0;
  return {
    buildRequest: () => {
      log.push("build");
      return { from: "rooms" };
    },
    send: async (request) => {
      log.push(`send ${JSON.stringify(request)}`);
      const answer = answers[Math.min(attempts++, answers.length - 1)];
      if (typeof answer === "number") {
        return new Response("no", { status: answer, headers: { "retry-after-ms": "0" } });
      }
      return new Response(answer, { headers: { "X-Mixed-Case": "yes" } });
    },
    createDecoder: (builder) => new TextDecoderOf(builder, log, finish),
  };
}

class TextDecoderOf implements Decoder {
  readonly complete = false;
  readonly finishable = false;
  private contentIndex: number | undefined;

  constructor(
    private readonly builder: MessageBuilder,
    private readonly log: string[],
    private readonly end: ((message: AssistantMessage) => void) | undefined,
  ) {}

  event(event: unknown): void {
    this.log.push(`event ${String(event)}`);
    this.contentIndex ??= this.builder.openText();
    this.builder.text(this.contentIndex, String(event));
  }

  finish(): void {
    this.log.push("finish");
    this.builder.closeAll();
    if (this.end) this.end(this.builder.message);
    else this.builder.message.stopReason = "stop";
  }
}

const play = (setup: Setup): Promise<StreamRun> =>
  readAll(runAdapter(roomsFor(setup), model, transcript(), { maxRetries: 0, ...setup.options }));

const types = ({ events }: StreamRun): string[] => events.map(({ type }) => type);

describe("one request from start to end", () => {
  it("A-001, P-139, P-147: builds, tells the body, sends, tells the head, tells each event before it is read, ends", async () => {
    const log: string[] = [];
    const run = await play({
      log,
      options: {
        onPayload: async (payload) => void log.push(`payload ${JSON.stringify(payload)}`),
        onResponse: ({ status, headers }) =>
          void log.push(`head ${status} ${headers["x-mixed-case"]}`),
        onProviderStreamEvent: async (event) => {
          await Promise.resolve();
          log.push(`told ${String(event)}`);
        },
      },
    });
    expect(log).toEqual([
      "build",
      'payload {"from":"rooms"}',
      'send {"from":"rooms"}',
      "head 200 yes",
      "told One ",
      "event One ",
      "told two.",
      "event two.",
      "finish",
    ]);
    expect(types(run)).toEqual([
      "start",
      "text_start",
      "text_delta",
      "text_delta",
      "text_end",
      "done",
    ]);
    expect(run.message).toMatchObject({ stopReason: "stop", content: [{ text: "One two." }] });
  });

  it("P-138: what onPayload gives is sent, on every attempt, and it is asked once", async () => {
    const log: string[] = [];
    let asked = 0;
    await play({
      log,
      answers: [500, words],
      options: {
        maxRetries: 1,
        onPayload: async () => {
          asked++;
          return { from: "caller" };
        },
      },
    });
    expect(asked).toBe(1);
    expect(log.filter((line) => line.startsWith("send"))).toEqual([
      'send {"from":"caller"}',
      'send {"from":"caller"}',
    ]);
  });

  it("P-139: of a refused request no head is told", async () => {
    const statuses: number[] = [];
    const run = await play({
      answers: [400],
      options: { onResponse: ({ status }) => void statuses.push(status) },
    });
    expect(statuses).toEqual([]);
    expect(types(run)).toEqual(["error"]);
  });

  it("P-008: the message is as old as its request", async () => {
    let now = 1000;
    vi.spyOn(Date, "now").mockImplementation(() => now);
    const run = await play({
      options: {
        onResponse: () => {
          now = 9000;
        },
      },
    });
    expect(run.message.timestamp).toBe(1000);
  });

  it.each(["pending", "error"] as const)(
    "P-010: an answer that would end as %s is an error",
    async (stopReason) => {
      const run = await play({
        finish: (message) => {
          message.stopReason = stopReason;
        },
      });
      expect(types(run).at(-1)).toBe("error");
      expect(run.message).toMatchObject({ stopReason: "error", content: [{ text: "One two." }] });
      expect(run.message.errorMessage).not.toBe("");
    },
  );

  it.each(["onPayload", "onResponse", "onProviderStreamEvent"] as const)(
    "P-205: %s that throws is an error event",
    async (hook) => {
      for (const broken of [
        () => {
          throw new Error("hook broke");
        },
        () => Promise.reject(new Error("hook broke")),
      ]) {
        const run = await play({ options: { [hook]: broken } });
        expect(types(run).at(-1)).toBe("error");
        expect(run.message).toMatchObject({ stopReason: "error", errorMessage: "hook broke" });
      }
    },
  );

  it("P-203, P-263: an abort that comes with the last event makes a whole answer an aborted one", async () => {
    const controller = new AbortController();
    const run = await play({
      options: { signal: controller.signal },
      finish: (message) => {
        message.stopReason = "stop";
        controller.abort();
      },
    });
    expect(run.events.at(-1)).toMatchObject({ type: "error", reason: "aborted" });
    expect(run.message).toMatchObject({ stopReason: "aborted", content: [{ text: "One two." }] });
  });

  it("P-220, P-413: a stream that has begun is not asked for again", async () => {
    const log: string[] = [];
    const run = await play({
      log,
      options: { maxRetries: 2 },
      finish: () => {
        throw new TypeError("fetch failed");
      },
    });
    expect(log.filter((line) => line.startsWith("send"))).toHaveLength(1);
    expect(run.message.stopReason).toBe("error");
  });

  it("A-001: a request that cannot be built is an error event, and nothing is sent", async () => {
    const log: string[] = [];
    const rooms = roomsFor({ log });
    const run = await readAll(
      runAdapter(
        {
          ...rooms,
          buildRequest: () => {
            throw new Error("cannot be built");
          },
        },
        model,
        transcript(),
        {},
      ),
    );
    expect(types(run)).toEqual(["error"]);
    expect(run.message.errorMessage).toBe("cannot be built");
    expect(log).toEqual([]);
  });
});

describe("an answer that is longer than the window was", () => {
  const used = (fields: Partial<AssistantMessage["usage"]>): Setup["finish"] => {
    return (message) => {
      message.stopReason = "stop";
      message.usage = { ...message.usage, ...fields };
    };
  };
  const classOf = async (finish: Setup["finish"]): Promise<unknown> =>
    (await play({ finish })).message.diagnostics?.map(({ details }) => details?.class);

  it("P-246: is noted when the prompt that the host counted does not fit", async () => {
    expect(await classOf(used({ input: 150_000, cacheRead: 60_000 }))).toEqual([
      "context-overflow",
    ]);
    expect(await classOf(used({ input: 150_000, cacheRead: 50_000 }))).toBeUndefined();
  });

  it("P-246: is noted when a full window leaves no room for a word", async () => {
    const cut = (input: number, output: number): Setup["finish"] => {
      return (message) => {
        used({ input, output })?.(message);
        message.stopReason = "length";
      };
    };
    expect(await classOf(cut(198_000, 0))).toEqual(["context-overflow"]);
    expect(await classOf(cut(197_999, 0))).toBeUndefined();
    expect(await classOf(cut(199_000, 1))).toBeUndefined();
  });
});

describe("a message that failed", () => {
  it("P-202, P-203: is aborted if and only if the signal is, whatever was thrown", () => {
    const abortError = Object.assign(new Error("aborted"), { name: "AbortError" });
    const failed = failMessage(pendingMessage(model), abortError, {
      signal: new AbortController().signal,
    });
    expect(failed.stopReason).toBe("error");
    expect(failed.errorMessage).not.toBe("");
    const aborted = failMessage(pendingMessage(model), new Error("socket"), {
      signal: AbortSignal.abort(),
    });
    expect(aborted.stopReason).toBe("aborted");
    expect(aborted.diagnostics?.[0]?.details?.class).toBe("aborted");
  });

  it("P-320: gets a new list of diagnostics", () => {
    const before: Diagnostic[] = [{ type: "note", timestamp: 1 }];
    const message: AssistantMessage = { ...pendingMessage(model), diagnostics: before };
    failMessage(message, new Error("x"));
    expect(before).toHaveLength(1);
    expect(message.diagnostics?.map(({ type }) => type)).toEqual(["note", "failure"]);
  });
});

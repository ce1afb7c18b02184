import { describe, expect, it } from "vitest";
import { pendingMessage } from "./adapter.ts";
import { AssistantMessageEventStream } from "./event-stream.ts";
import { lazyApi, lazyStream } from "./lazy.ts";
import { readAll, testModel, transcript } from "./testing/run-stream.ts";
import type { ApiImplementation, AssistantMessage, AssistantMessageEvent } from "./types.ts";

const model = testModel({ api: "a", id: "m", provider: "p", baseUrl: "https://a.example" });

const message = (fields: Partial<AssistantMessage> = {}): AssistantMessage => ({
  ...pendingMessage(model),
  ...fields,
});

/** An answer "Hi", whole or up to its text. */
function inner(end: "done" | "nothing"): AssistantMessageEventStream {
  const stream = new AssistantMessageEventStream();
  const partial = message({ content: [{ type: "text", text: "Hi" }] });
  stream.push({ type: "start", partial });
  stream.push({ type: "text_delta", contentIndex: 0, delta: "Hi", partial });
  if (end === "done") {
    partial.stopReason = "stop";
    stream.push({ type: "done", reason: "stop", message: partial });
  }
  stream.end();
  return stream;
}

/** A stream that breaks in the middle. */
function breaking(): AssistantMessageEventStream {
  const partial = message({ content: [{ type: "text", text: "Hi" }] });
  async function* events(): AsyncGenerator<AssistantMessageEvent> {
    yield { type: "start", partial };
    throw new Error("broke");
  }
  return Object.assign(new AssistantMessageEventStream(), {
    [Symbol.asyncIterator]: () => events(),
  });
}

describe("a stream that takes time to begin", () => {
  it("P-115: is there at once and forwards every event in order", async () => {
    const stream = lazyStream(model, async () => inner("done"));
    expect(stream).toBeInstanceOf(AssistantMessageEventStream);
    const { events, message: last } = await readAll(stream);
    expect(events.map(({ type }) => type)).toEqual(["start", "text_delta", "done"]);
    expect(last.content).toEqual([{ type: "text", text: "Hi" }]);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("no key"))],
    [
      "throws at once",
      () => {
        throw new Error("no key");
      },
    ],
  ])("P-116, P-200: a setup that %s becomes one error event", async (_how, setup) => {
    const { events, message: last } = await readAll(lazyStream(model, setup));
    expect(events).toHaveLength(1);
    expect(last).toMatchObject({
      role: "assistant",
      content: [],
      api: "a",
      provider: "p",
      model: "m",
      stopReason: "error",
      errorMessage: "no key",
      usage: { totalTokens: 0 },
    });
  });

  it("P-117, P-203: the reason is aborted if the signal is", async () => {
    const fail = (): never => {
      throw new Error("whatever");
    };
    const aborted = await readAll(lazyStream(model, fail, { signal: AbortSignal.abort() }));
    expect(aborted.events).toMatchObject([{ type: "error", reason: "aborted" }]);
    expect(aborted.message.stopReason).toBe("aborted");
    const failed = await readAll(lazyStream(model, fail, { signal: new AbortController().signal }));
    expect(failed.message.stopReason).toBe("error");
  });

  it("P-118, W-04: a stream that breaks half-way keeps what it had told", async () => {
    const { events, message: last } = await readAll(lazyStream(model, breaking));
    expect(events.map(({ type }) => type)).toEqual(["start", "error"]);
    expect(last).toMatchObject({
      stopReason: "error",
      errorMessage: "broke",
      content: [{ type: "text", text: "Hi" }],
    });
  });

  it("P-119, W-03: a stream that just ends becomes an error that keeps what it had told", async () => {
    const { events, message: last } = await readAll(lazyStream(model, () => inner("nothing")));
    expect(events.map(({ type }) => type)).toEqual(["start", "text_delta", "error"]);
    expect(last).toMatchObject({ stopReason: "error", content: [{ text: "Hi" }] });
  });

  it("P-261: an abort ends the wait at once, and what the setup does later is nobody's concern", async () => {
    const controller = new AbortController();
    let fail: (error: Error) => void = () => {};
    const setup = new Promise<never>((_, reject) => {
      fail = reject;
    });
    const stream = lazyStream(model, () => setup, { signal: controller.signal });
    controller.abort();
    expect((await readAll(stream)).message.stopReason).toBe("aborted");
    fail(new Error("too late"));
    await setup.catch(() => {});
  });

  it("P-078, W-47: a failed setup is not timed", async () => {
    const { message: last } = await readAll(
      lazyStream(model, () => Promise.reject(new Error("x"))),
    );
    expect(last).not.toHaveProperty("durationMs");
  });

  it("P-217: the key is in no error", async () => {
    const { message: last } = await readAll(
      lazyStream(model, () => Promise.reject(new Error("bad key secret-key-1"))),
    );
    const hidden = await readAll(
      lazyStream(model, () => Promise.reject(new Error("bad key secret-key-1")), {
        apiKey: "secret-key-1",
      }),
    );
    expect(last.errorMessage).toContain("secret-key-1");
    expect(JSON.stringify(hidden.message)).not.toContain("secret-key-1");
  });
});

describe("an api that is loaded at its first request", () => {
  const loaded: ApiImplementation = {
    stream: () => inner("done"),
    streamSimple: () => inner("done"),
  };

  it("P-125: loads for both calls, and not before", async () => {
    let loads = 0;
    const api = lazyApi(async () => {
      loads++;
      return loaded;
    });
    expect(loads).toBe(0);
    for (const call of [api.stream, api.streamSimple]) {
      expect((await readAll(call(model, transcript(), {}))).message.stopReason).toBe("stop");
    }
    expect(loads).toBe(2);
  });

  it("P-125: an import that fails is an error event", async () => {
    const api = lazyApi(() => Promise.reject(new Error("no such module")));
    const { message: last } = await readAll(api.streamSimple(model, transcript()));
    expect(last).toMatchObject({ stopReason: "error", errorMessage: "no such module" });
  });

  const handle = { provider: "p", modelId: "m", api: "a", id: "1" };

  it("P-126: has deferred answers only where it says so", async () => {
    const plain = lazyApi(async () => loaded);
    expect(plain.fetchDeferred).toBeUndefined();
    expect(plain.cancelDeferred).toBeUndefined();
    const cancelled: string[] = [];
    const deferring = lazyApi(
      async () => ({
        ...loaded,
        fetchDeferred: () => inner("done"),
        cancelDeferred: async (_model, { id }) => {
          cancelled.push(id);
        },
      }),
      { deferred: true },
    );
    const fetched = deferring.fetchDeferred?.(model, handle);
    expect(fetched && (await readAll(fetched)).message.stopReason).toBe("stop");
    await deferring.cancelDeferred?.(model, handle);
    expect(cancelled).toEqual(["1"]);
  });

  it("P-308: one that says so and has none fails as an event and as a rejection", async () => {
    const api = lazyApi(async () => loaded, { deferred: true });
    const fetched = api.fetchDeferred?.(model, handle);
    expect(fetched && (await readAll(fetched)).message.errorMessage).toContain("deferred");
    await expect(api.cancelDeferred?.(model, handle)).rejects.toThrow("deferred");
  });
});

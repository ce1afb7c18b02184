import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type Attempt, type SentRequest, sendWithRetry } from "./send.ts";
import { testModel } from "./testing/run-stream.ts";
import type { ProviderRequestOptions, RetryNotice } from "./types.ts";

const model = testModel({ api: "a", id: "m", baseUrl: "https://a.example" });

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(Math, "random").mockReturnValue(0);
});
afterEach(() => {
  vi.useRealTimers();
});

const failed = (status: number, headers: Record<string, string> = {}, body = "no"): Response =>
  new Response(body, { status, headers });

interface Outcome {
  attempts: number;
  notices: RetryNotice[];
  response?: Response;
  error?: Error;
}

/** Sends with these answers in turn, the last one again and again; a thrown one is what the SDK throws. */
async function send(
  answers: (Response | Error)[],
  options: ProviderRequestOptions = {},
): Promise<Outcome> {
  const notices: RetryNotice[] = [];
  let attempts = 0;
  const outcome: Outcome = { attempts, notices };
  const sending = sendWithRetry(
    async () => {
      const answer = answers[Math.min(attempts++, answers.length - 1)];
      if (answer instanceof Error) throw answer;
      return (answer as Response).clone();
    },
    model,
    { ...options, onRetry: (notice) => notices.push(notice) },
  ).then(
    (sent: SentRequest) => {
      sent.guard.release();
      outcome.response = sent.response;
    },
    (error: Error) => {
      outcome.error = error;
    },
  );
  await vi.runAllTimersAsync();
  await sending;
  return Object.assign(outcome, { attempts });
}

const ok = new Response("fine");

describe("sending until an answer's head arrives", () => {
  it("P-136, P-413: tries again twice unless it is told otherwise", async () => {
    expect((await send([failed(500)])).attempts).toBe(3);
    expect((await send([failed(500)], { maxRetries: 0 })).attempts).toBe(1);
    expect((await send([failed(500)], { maxRetries: -1 })).attempts).toBe(1);
  });

  it("P-221: n retries are n + 1 attempts, and one that succeeds is the last", async () => {
    expect((await send([failed(500)], { maxRetries: 4 })).attempts).toBe(5);
    const { attempts, response } = await send([failed(500), ok]);
    expect([attempts, response?.status]).toEqual([2, 200]);
  });

  it("P-222: x-should-retry decides where it is there", async () => {
    expect((await send([failed(500, { "x-should-retry": "false" })])).attempts).toBe(1);
    expect((await send([failed(400, { "x-should-retry": "true" })])).attempts).toBe(3);
  });

  it.each([408, 409, 429, 500, 503, 529])("P-223: %i is tried again", async (status) => {
    expect((await send([failed(status)])).attempts).toBe(3);
  });

  it.each([400, 401, 403, 404, 413, 422])("P-223: %i is not", async (status) => {
    expect((await send([failed(status)])).attempts).toBe(1);
  });

  it("P-223: a connection that fails is tried again, a request that cannot be built is not", async () => {
    expect((await send([new TypeError("fetch failed"), ok])).attempts).toBe(2);
    expect((await send([new Error("Connection error.")])).attempts).toBe(3);
    expect((await send([new TypeError("x is not a function")])).attempts).toBe(1);
  });

  it("P-224, P-413: waits as the vendor asks, and tells before it does", async () => {
    const { notices } = await send([failed(429, { "retry-after": "7" }, "Too fast"), ok]);
    expect(notices).toEqual([
      { attempt: 1, maxRetries: 2, delayMs: 7000, status: 429, message: "429: Too fast" },
    ]);
  });

  it("P-225: otherwise waits twice as long each time, eight seconds at most, less a random part", async () => {
    const delays = async (random: number): Promise<number[]> => {
      vi.spyOn(Math, "random").mockReturnValue(random);
      const { notices } = await send([failed(500)], { maxRetries: 6 });
      return notices.map(({ delayMs }) => delayMs);
    };
    expect(await delays(0)).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
    expect(await delays(1)).toEqual([375, 750, 1500, 3000, 6000, 6000]);
  });

  it("P-226, P-137: a wait that is too long fails at once and tells both figures", async () => {
    const long = failed(429, { "retry-after": "90" }, "Too fast");
    const { attempts, error } = await send([long]);
    expect(attempts).toBe(1);
    expect(error?.message).toContain("429: Too fast");
    expect(error?.message).toContain("90 s");
    expect(error?.message).toContain("60 s");
    expect((await send([long, ok], { maxRetryDelayMs: 0 })).attempts).toBe(2);
    expect((await send([long, ok], { maxRetryDelayMs: 100_000 })).attempts).toBe(2);
  });

  it("P-227, P-228: an abort ends the wait at once", async () => {
    const controller = new AbortController();
    const sending = sendWithRetry(async () => failed(500), model, {
      signal: controller.signal,
      onRetry: () => queueMicrotask(() => controller.abort()),
    });
    await expect(sending).rejects.toMatchObject({ name: "AbortError" });
  });

  it("P-228: an abort during a failing attempt wins over another one", async () => {
    const controller = new AbortController();
    let attempts = 0;
    const sending = sendWithRetry(
      async () => {
        attempts++;
        controller.abort();
        return failed(500);
      },
      model,
      { signal: controller.signal },
    );
    await expect(sending).rejects.toThrow();
    expect(attempts).toBe(1);
  });

  it("P-130: an abort reaches the SDK and ends the wait for it", async () => {
    const controller = new AbortController();
    let attempt: Attempt | undefined;
    const sending = sendWithRetry(
      (given) => {
        attempt = given;
        return new Promise(() => {});
      },
      model,
      { signal: controller.signal },
    );
    controller.abort();
    await expect(sending).rejects.toMatchObject({ name: "AbortError" });
    expect(attempt?.signal.aborted).toBe(true);
  });

  it("P-264, P-265: a head that does not come in time is a timeout, tried again as a connection is", async () => {
    let attempts = 0;
    const sending = sendWithRetry(
      () => {
        attempts++;
        return new Promise(() => {});
      },
      model,
      { timeoutMs: 1000, maxRetries: 1 },
    );
    const rejected = expect(sending).rejects.toMatchObject({
      name: "TimeoutError",
      message: expect.stringContaining("1 s"),
    });
    await vi.runAllTimersAsync();
    await rejected;
    expect(attempts).toBe(2);
  });

  it("P-132, P-217: tells what leaves, without secrets, through the caller's fetch", async () => {
    const told: unknown[] = [];
    const fetched: unknown[] = [];
    await sendWithRetry(
      ({ fetch }) =>
        fetch("https://user:pass@a.example/v1?key=secret&b=1", {
          method: "POST",
          headers: { Authorization: "Bearer secret", "X-Plain": "1" },
        }),
      model,
      {
        onRequest: (request) => told.push(request),
        fetch: async (input) => {
          fetched.push(input);
          return ok.clone();
        },
      },
    ).then(({ guard }) => guard.release());
    expect(told).toEqual([
      {
        method: "POST",
        url: "https://a.example/v1?key=redacted&b=1",
        headers: { authorization: "[redacted]", "x-plain": "1" },
        attempt: 1,
      },
    ]);
    expect(fetched).toEqual(["https://user:pass@a.example/v1?key=secret&b=1"]);
  });
});

import { describe, expect, it } from "vitest";
import {
  classifyError,
  describeError,
  errorStatus,
  failureOf,
  ProviderError,
  retryAfterMs,
  shouldRetryHeader,
} from "./errors.ts";

/** An error with the fields that an SDK puts on it. */
const sdkError = (message: string, fields: Record<string, unknown> = {}): Error =>
  Object.assign(new Error(message), fields);

describe("the text of an error", () => {
  it("P-210: the status is looked for in a fixed order", () => {
    const all = {
      statusCode: 1,
      status: 2,
      $metadata: { httpStatusCode: 3 },
      $response: { statusCode: 4 },
    };
    const { statusCode: _, ...second } = all;
    const { status: __, ...third } = second;
    const { $metadata: ___, ...fourth } = third;
    expect([all, second, third, fourth, {}].map(errorStatus)).toEqual([1, 2, 3, 4, undefined]);
    expect(errorStatus("text")).toBeUndefined();
  });

  it.each([
    ["a text body", { body: " plain " }, "500: plain"],
    ["a plain object", { error: { foo: 1 } }, '500: {"foo":1}'],
    ["a sentence", { error: "Just this" }, "500: Just this"],
    ["the response's body", { $response: { body: "raw" } }, "500: raw"],
    ["the response's object", { $response: { body: { a: 1 } } }, '500: {"a":1}'],
    ["an empty object", { error: {} }, "500: failed"],
    ["an instance of a class", { error: new Date(0) }, "500: failed"],
  ])("P-211: the body is %s", (_what, fields, expected) => {
    expect(describeError(sdkError("failed", { status: 500, ...fields }))).toBe(expected);
  });

  it.each([
    ['{"error":{"message":"Too fast","code":"x"}}'],
    ['{"error":"Too fast"}'],
    ['{"message":"Too fast"}'],
    ['{"detail":"Too fast"}'],
    ['[{"error":{"message":"Too fast"}}]'],
    ['{"errors":[{"message":"Too fast"}]}'],
  ])("P-213: of %s the vendor's sentence is shown", (body) => {
    expect(describeError(sdkError("failed", { status: 429, body }))).toBe("429: Too fast");
  });

  it("P-212: a long body is cut, and how much is told", () => {
    const text = describeError(sdkError("failed", { status: 500, body: "x".repeat(4100) }));
    expect(text).toBe(`500: ${"x".repeat(4000)}… (100 more characters)`);
  });

  it("P-213: a message that holds its body stays, and a prefix stands before the status", () => {
    const known = sdkError("429 Too fast", { status: 429, error: { message: "Too fast" } });
    expect(describeError(known)).toBe("429 Too fast");
    const other = sdkError("failed", { status: 429, body: "Too fast" });
    expect(describeError(other, "Vendor")).toBe("Vendor (429): Too fast");
  });

  it("P-214: a network failure tells its deepest cause, with its code", () => {
    const cause = Object.assign(new Error("connect refused"), { code: "ECONNREFUSED" });
    const error = new Error("fetch failed", { cause: new Error("middle", { cause }) });
    expect(describeError(error)).toBe("fetch failed (connect refused) [ECONNREFUSED]");
  });

  it("P-215: whatever is thrown has a text", () => {
    expect(describeError("words")).toBe("words");
    expect(describeError({ odd: 1 })).toBe('{"odd":1}');
    expect(describeError(undefined)).toBe("undefined");
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(describeError(circular)).toBe("[object Object]");
    expect(failureOf(new Error("")).errorMessage).not.toBe("");
  });

  it("P-216: what a router's upstream said is added once", () => {
    const error = { message: "Provider returned error", metadata: { raw: "upstream says no" } };
    const text = describeError(sdkError("429 Provider returned error", { status: 429, error }));
    expect(text).toBe("429 Provider returned error\nupstream says no");
  });

  it("P-406: an HTML page is reduced to its title", () => {
    const page =
      "<!DOCTYPE html><html><head><title>502 Bad\n Gateway</title></head><body>…</body></html>";
    for (const error of [
      sdkError("failed", { status: 502, body: page }),
      sdkError(`502 ${page}`, { status: 502 }),
    ]) {
      expect(describeError(error)).toBe("502: an HTML page: 502 Bad Gateway");
    }
  });

  it("P-217: no key and nothing in the shape of one is told", () => {
    const error = sdkError(
      "key my-own-key is bad, so is Bearer abcdefgh12345 and sk-abcdefghijklmnop",
      {
        headers: { authorization: "Bearer secret-of-mine" },
      },
    );
    const told = JSON.stringify(failureOf(error, { apiKey: "my-own-key" }));
    for (const secret of ["my-own-key", "abcdefgh12345", "sk-abcdefghijklmnop", "secret-of-mine"]) {
      expect(told).not.toContain(secret);
    }
  });
});

describe("P-406: the class of an error", () => {
  it.each<[string, number | undefined, string]>([
    ["Incorrect API key provided", 401, "auth"],
    ["API key not valid. Please pass a valid API key.", 400, "auth"],
    ["Too many requests", 429, "rate-limit"],
    ["You exceeded your current quota, please check your plan and billing details.", 429, "quota"],
    ["Rate limit reached: 30000 tokens per minute", 429, "rate-limit"],
    ["This request requires more credits", 402, "quota"],
    ["The model is overloaded", 503, "overloaded"],
    ["Internal error", 500, "overloaded"],
    ["Overloaded", 529, "overloaded"],
    ["ResourceExhausted: all slots are busy", undefined, "overloaded"],
    ["This model's maximum context length is 8192 tokens", 400, "context-overflow"],
    ["prompt is too long: 210000 tokens > 200000 maximum", 400, "context-overflow"],
    ["no body", 413, "context-overflow"],
    ["blocked by our content filter", 400, "content-filter"],
    ["temperature must be below 2", 400, "invalid-request"],
    ["The model gpt-x does not exist", 400, "not-found"],
    ["nothing here", 404, "not-found"],
    ["fetch failed", undefined, "network"],
    ["read ECONNRESET", undefined, "network"],
    ["Request timed out.", undefined, "timeout"],
    ["something else", undefined, "unknown"],
  ])("%s (%s) is %s", (text, status, expected) => {
    expect(classifyError(sdkError(text, { status }), text)).toBe(expected);
  });

  it("is what was found out already, or what the body's code says", () => {
    const known = new ProviderError("odd", { status: 500, errorClass: "content-filter" });
    expect(classifyError(known, "odd")).toBe("content-filter");
    const coded = sdkError("400 Too long.", {
      status: 400,
      error: { message: "Too long.", code: "context_length_exceeded" },
    });
    expect(failureOf(coded).diagnostic.details?.class).toBe("context-overflow");
  });
});

describe("what a diagnostic holds", () => {
  it("P-320, P-406: status, code, request id, wait and attempt", () => {
    const error = sdkError("429 Too fast", {
      status: 429,
      code: "rate_limit_exceeded",
      headers: new Headers({ "x-request-id": "req_1", "retry-after": "2" }),
    });
    expect(failureOf(error, { attempt: 3, now: 5 }).diagnostic).toEqual({
      type: "failure",
      timestamp: 5,
      error: { name: "Error", message: "429 Too fast", code: "rate_limit_exceeded" },
      details: {
        class: "rate-limit",
        status: 429,
        code: "rate_limit_exceeded",
        requestId: "req_1",
        retryAfterMs: 2000,
        attempt: 3,
      },
    });
  });

  it("P-321, W-38: no stack", () => {
    expect(JSON.stringify(failureOf(new Error("x")))).not.toContain("errors.test");
  });

  it("P-322: a thrown value that is no error is called one", () => {
    expect(failureOf("words").diagnostic.error).toEqual({ name: "ThrownValue", message: "words" });
  });
});

describe("P-224: the wait that a vendor asks for", () => {
  const now = Date.UTC(2026, 0, 1);
  it.each<[string, Record<string, string>, number | undefined]>([
    ["in ms, before seconds", { "retry-after-ms": "1500.5", "retry-after": "9" }, 1500.5],
    ["in seconds", { "retry-after": "1.5" }, 1500],
    ["until a date", { "retry-after": new Date(now + 4000).toUTCString() }, 4000],
    ["until a date that is past", { "retry-after": new Date(now - 4000).toUTCString() }, 0],
    ["in no form that is known", { "retry-after": "soon" }, undefined],
    ["not at all", {}, undefined],
  ])("is told %s", (_how, headers, expected) => {
    expect(retryAfterMs(sdkError("x", { headers: new Headers(headers) }), now)).toBe(expected);
    expect(retryAfterMs(sdkError("x", { headers }), now)).toBe(expected);
  });

  it("P-229, W-19: in a Google body", () => {
    const body = '{"error":{"details":[{"@type":"RetryInfo","retryDelay":"38.5s"}]}}';
    expect(retryAfterMs(sdkError("x", { body }))).toBe(38_500);
    expect(retryAfterMs(sdkError(body))).toBe(38_500);
  });

  it("P-222: a header may say outright whether to try again", () => {
    const told = ["true", "false", "maybe"].map((value) =>
      shouldRetryHeader(sdkError("x", { headers: new Headers({ "x-should-retry": value }) })),
    );
    expect(told).toEqual([true, false, undefined]);
  });
});

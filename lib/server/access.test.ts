import { describe, expect, it } from "vitest";
import { assertAccess, assertJson } from "./access";
import { readConfig } from "./config";
import { HttpError } from "./errors";

const own = readConfig({});

function outcome(
  headers: Record<string, string>,
  config = own,
  method = "POST",
): number | "allowed" {
  const request = new Request("http://localhost:3000/api/runs", {
    method,
    headers: { host: "localhost:3000", ...headers },
  });
  try {
    assertAccess(request, config);
    return "allowed";
  } catch (error) {
    if (error instanceof HttpError) return error.status;
    throw error;
  }
}

describe("assertAccess", () => {
  it.each(["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "rill.localhost:3000"])(
    "answers under %s",
    (host) => {
      expect(outcome({ host })).toBe("allowed");
    },
  );

  it.each([
    "evil.example:3000",
    "localhost.evil.example",
    "127.0.0.1.nip.example",
    "10.0.0.5:3000",
  ])("does not answer under %s, which was made to point at this machine", (host) => {
    expect(outcome({ host })).toBe(403);
    expect(outcome({ host }, own, "GET")).toBe(403);
  });

  it("answers under any name where anybody can reach it", () => {
    expect(outcome({ host: "10.0.0.5:3000" }, readConfig({ RILL_HOST: "0.0.0.0" }))).toBe(
      "allowed",
    );
  });

  it("answers behind a proxy under the names that were set", () => {
    const config = readConfig({ RILL_ALLOWED_HOSTS: "rill.example" });
    expect(outcome({ host: "rill.example", origin: "https://rill.example" }, config)).toBe(
      "allowed",
    );
    expect(outcome({ host: "localhost:3000", origin: "https://rill.example" }, config)).toBe(
      "allowed",
    );
    expect(outcome({ host: "other.example" }, config)).toBe(403);
  });

  it.each<Record<string, string>>([
    { origin: "https://evil.example" },
    { origin: "http://localhost:5173" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ])("turns a page of another site away: %j", (headers) => {
    expect(outcome(headers)).toBe(403);
  });

  it("takes its own page and callers that are no browser", () => {
    expect(outcome({ origin: "http://localhost:3000", "sec-fetch-site": "same-origin" })).toBe(
      "allowed",
    );
    expect(outcome({})).toBe("allowed");
  });

  it("wants the token as a bearer or a cookie when one is set", () => {
    const config = readConfig({ RILL_ACCESS_TOKEN: "open-sesame" });
    expect([
      outcome({}, config),
      outcome({ authorization: "Bearer open-sesam" }, config),
      outcome({ cookie: "rill_access=wrong; a=b" }, config),
      outcome({ cookie: "rill_access=%E0%A4%A" }, config),
      outcome({ authorization: "Bearer open-sesame" }, config),
      outcome({ authorization: "bearer  open-sesame" }, config),
      outcome({ cookie: "a=b; rill_access=open-sesame" }, config),
    ]).toEqual([401, 401, 401, 401, "allowed", "allowed", "allowed"]);
  });
});

describe("assertJson", () => {
  it.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])(
    "refuses %j, which a form of another site can send",
    (type) => {
      const request = new Request("http://localhost/", {
        method: "POST",
        headers: { "content-type": type },
      });
      expect(() => assertJson(request)).toThrow(HttpError);
    },
  );

  it("takes JSON with or without a charset", () => {
    for (const type of ["application/json", "Application/JSON; charset=utf-8"]) {
      assertJson(
        new Request("http://localhost/", { method: "POST", headers: { "content-type": type } }),
      );
    }
  });
});

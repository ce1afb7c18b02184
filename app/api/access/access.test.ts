import { NextRequest } from "next/server";
import { afterEach, describe, expect, it } from "vitest";
import { replaceConfig } from "@/lib/server/config";
import { guardPage } from "@/lib/server/guard-page";
import { replaceRuntime } from "@/lib/server/runtime";
import { GET as health } from "../health/route";
import { useRuntime } from "../testing/run-api";
import { POST as enter } from "./route";

const token = "open-sesame";

function withToken(env: Record<string, string> = { RILL_ACCESS_TOKEN: token }): void {
  replaceConfig(useRuntime([], env).config);
}

afterEach(() => {
  replaceRuntime(undefined);
  replaceConfig(undefined);
});

const page = (headers: Record<string, string> = {}) =>
  guardPage(new NextRequest("http://localhost:3000/c/1", { headers }));

const submit = (value: string, headers: Record<string, string> = {}) =>
  enter(
    new Request("http://localhost:3000/api/access", {
      method: "POST",
      body: new URLSearchParams({ token: value }),
      headers,
    }),
  );

describe("a server with an access token", () => {
  it("shows a page that asks for it, and lets in who has the cookie", async () => {
    withToken();
    const asked = page();
    expect(asked.status).toBe(401);
    expect(await asked.text()).toContain('action="/api/access"');
    expect(asked.headers.get("content-security-policy")).toContain("default-src 'none'");

    const entered = await submit(token);
    expect([entered.status, entered.headers.get("location")]).toEqual([303, "/"]);
    const cookie = entered.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/);
    expect(cookie).not.toContain("Secure");
    expect(page({ cookie: cookie.split(";")[0] ?? "" }).status).toBe(200);
  });

  it("asks again for a wrong one, and takes none from another site", async () => {
    withToken();
    const wrong = await submit("guess-guess");
    expect(wrong.status).toBe(401);
    expect(wrong.headers.get("set-cookie")).toBeNull();
    expect((await submit(token, { origin: "https://evil.example" })).status).toBe(403);
  });

  it("keeps the cookie to https where the visitor came by it", async () => {
    withToken();
    const entered = await submit(token, { "x-forwarded-proto": "https" });
    expect(entered.headers.get("set-cookie")).toMatch(/; Secure$/);
  });

  it("guards the API", async () => {
    withToken();
    const ask = (headers: Record<string, string>) =>
      health(new Request("http://localhost:3000/api/health", { headers }));
    expect((await ask({})).status).toBe(401);
    const answer = await ask({ authorization: `Bearer ${token}` });
    expect(await answer.json()).toEqual({ ok: true, version: expect.stringMatching(/^\d+\.\d+/) });
  });
});

describe("every page", () => {
  it("comes with a policy that lets no foreign script run", () => {
    withToken({});
    const [first, second] = [page(), page()].map(
      (response) => response.headers.get("content-security-policy") ?? "",
    );
    expect(first).toMatch(/script-src 'self' 'nonce-[A-Za-z0-9+/=]{40,}' 'strict-dynamic';/);
    expect(first).not.toContain("unsafe-eval");
    expect(first).toContain("frame-ancestors 'none'");
    expect(first).not.toBe(second);
  });

  it("is not shown under a name that was made to point at this machine", () => {
    withToken({});
    expect(page({ host: "evil.example:3000" }).status).toBe(403);
  });
});

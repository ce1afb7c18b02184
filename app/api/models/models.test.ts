import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apis } from "@/lib/ai/apis/index";
import { createProvider, type Provider, type ProviderConfig } from "@/lib/ai/provider";
import { type ModelServer, startModelServer } from "@/lib/ai/testing/model-server";
import { HttpError } from "@/lib/server/errors";
import { replaceRuntime } from "@/lib/server/runtime";
import { useRuntime } from "../testing/run-api";
import { POST } from "./[providerId]/route";
import { GET } from "./route";

let host: ModelServer;
beforeEach(async () => {
  host = await startModelServer({
    "/v1/models": { json: { data: [{ id: "known", context_length: 9 }, { id: "new" }] } },
  });
});
afterEach(async () => {
  await host.stop();
  replaceRuntime(undefined);
});

const serverKey = "sk-SERVER-0123456789";
const userKey = "sk-CANARY-0123456789";

function provider(change: Partial<ProviderConfig> = {}): Provider {
  const baseUrl = `${host.origin}/v1`;
  const api = "openai-completions";
  const sizes = { contextWindow: 0, maxTokens: 0 };
  const base = { api, provider: "p", baseUrl, reasoning: true, input: ["text" as const], ...sizes };
  return createProvider({
    id: "p",
    name: "Vendor",
    baseUrl,
    env: ["P_KEY"],
    models: [
      { ...base, id: "baseline", name: "Baseline" },
      {
        ...base,
        id: "known",
        name: "Known",
        thinkingLevelMap: { off: null },
        compat: { supportsStore: false },
      },
    ],
    list: { api },
    api: apis,
    ...change,
  });
}

const local = (): Provider =>
  provider({ id: "mine", name: "Mine", local: true, needsKey: false, models: [] });

interface Answer {
  status: number;
  body: {
    models?: { id: string; name: string; contextWindow: number }[];
    error?: { code: string; message: string; field?: string };
  };
  text: string;
}

async function list(
  providerId: string,
  body: unknown = {},
  headers: Record<string, string> = {},
): Promise<Answer> {
  const request = new Request(`http://localhost:3000/api/models/${providerId}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  const response = await POST(request, { params: Promise.resolve({ providerId }) });
  const text = await response.text();
  return { status: response.status, body: JSON.parse(text), text };
}

const ids = ({ body }: Answer): string[] | undefined => body.models?.map(({ id }) => id);

async function shown(providerId: string): Promise<string[] | undefined> {
  const response = await GET(new Request("http://localhost:3000/api/models"));
  const { providers } = (await response.json()) as {
    providers: { id: string; models: { id: string }[] }[];
  };
  return providers.find(({ id }) => id === providerId)?.models.map(({ id }) => id);
}

describe("POST /api/models/{providerId}", () => {
  it("lists live with the server's key, together with what the catalog knows", async () => {
    useRuntime([provider()], { P_KEY: serverKey });
    const answer = await list("p");
    expect(answer.status).toBe(200);
    expect(answer.body.models).toMatchObject([
      { id: "baseline", name: "Baseline" },
      {
        id: "known",
        name: "Known",
        contextWindow: 9,
        thinkingLevelMap: { off: null },
        compat: { supportsStore: false },
      },
      {
        id: "new",
        name: "new",
        api: "openai-completions",
        thinkingLevels: ["off"],
        contextWindow: 0,
      },
    ]);
    expect(host.requests[0]?.headers.authorization).toBe(`Bearer ${serverKey}`);
    expect(await shown("p")).toEqual(["baseline", "known", "new"]);
    expect(answer.text).not.toContain(serverKey);
  });

  it("asks the host once in some minutes, and again when told to", async () => {
    useRuntime([provider()], { P_KEY: serverKey });
    await list("p");
    await list("p");
    expect(host.requests.length).toBe(1);
    await list("p", { refresh: true });
    expect(host.requests.length).toBe(2);
  });

  it("lists with a person's key, and shows nobody else what that key sees", async () => {
    useRuntime([provider()], { P_KEY: serverKey });
    expect(ids(await list("p", {}, { "x-provider-key": userKey }))).toEqual([
      "baseline",
      "known",
      "new",
    ]);
    expect(host.requests[0]?.headers.authorization).toBe(`Bearer ${userKey}`);
    expect(await shown("p")).toEqual(["baseline", "known"]);
  });

  it("lists from an address of the person's own, to which the server's key does not go", async () => {
    useRuntime([provider({ baseUrl: "https://vendor.example/v1" })], { P_KEY: serverKey });
    const answer = await list("p", { baseUrl: `${host.origin}/v1` });
    expect(ids(answer)).toEqual(["known", "new"]);
    expect(JSON.stringify(host.requests)).not.toContain(serverKey);
    expect(await shown("p")).toEqual(["baseline", "known"]);
  });

  it("lists from the address that the operator set, with the server's key", async () => {
    const moved = provider({ baseUrl: "https://vendor.example/v1", baseUrlEnv: "P_URL" });
    useRuntime([moved], { P_KEY: serverKey, P_URL: `${host.origin}/v1` });
    expect(ids(await list("p"))).toEqual(["baseline", "known", "new"]);
    expect(host.requests[0]?.headers.authorization).toBe(`Bearer ${serverKey}`);
  });

  it("lists any endpoint whose provider it does not know, in the api that it is told", async () => {
    useRuntime([]);
    expect(ids(await list("my-box", { baseUrl: `${host.origin}/v1` }))).toEqual(["known", "new"]);
    const anthropic = { baseUrl: host.origin, api: "anthropic-messages" };
    expect((await list("my-box", anthropic)).body.models?.[0]).toMatchObject({
      api: "anthropic-messages",
    });
    expect(host.requests[1]?.url).toBe("/v1/models?limit=1000");
  });

  it.each([
    ["http://169.254.169.254/v1", {}],
    ["http://10.0.0.1/v1", {}],
    ["http://user:pass@vendor.example/v1", {}],
    ["http://127.0.0.1:11434/v1", { RILL_HOST: "0.0.0.0" }],
  ])(
    "refuses the address %s before anything is sent",
    async (baseUrl, env: Record<string, string>) => {
      useRuntime([provider()], env);
      const { status, body } = await list("p", { baseUrl });
      expect(status).toBe(400);
      expect(body.error).toMatchObject({ code: "address-refused", field: "baseUrl" });
    },
  );

  it("does not let others list what runs on the server's machine", async () => {
    useRuntime([local()], { RILL_HOST: "0.0.0.0" });
    expect(await list("mine")).toMatchObject({
      status: 400,
      body: { error: { code: "address-refused" } },
    });
    expect((await list("mine", { baseUrl: `${host.origin}/v1` })).status).toBe(400);
    expect(host.requests).toEqual([]);
  });

  it.each([
    [{ baseUrl: 7 }, "baseUrl"],
    [{ baseUrl: "ftp://a.example" }, "baseUrl"],
    [{ api: "soap" }, "api"],
    [{ refresh: "yes" }, "refresh"],
    [{ apiKey: "k" }, "apiKey"],
    [[], "body"],
  ])("names the field at fault in %j", async (body, field) => {
    useRuntime([provider()]);
    const answer = await list("p", body);
    expect([answer.status, answer.body.error?.field]).toEqual([400, field]);
  });

  it("answers 404 for a provider that it does not know and that has no address", async () => {
    useRuntime([provider()]);
    const { status, body } = await list("nobody");
    expect([status, body.error?.code]).toEqual([404, "unknown-provider"]);
  });

  it("says that there is no live list of the demo", async () => {
    useRuntime(undefined);
    expect((await list("demo")).body.error?.code).toBe("no-list");
  });

  it("takes JSON only, from its own pages only", async () => {
    useRuntime([provider()]);
    expect((await list("p", {}, { "content-type": "text/plain" })).status).toBe(415);
    expect((await list("p", {}, { origin: "https://evil.example" })).status).toBe(403);
  });
});

describe("failures of a host", () => {
  const refuse = (status: number, message: string) => {
    host.routes["/v1/models"] = { status, json: { error: { message } } };
  };

  it("asks for a key where the host wants one", async () => {
    refuse(401, "Missing bearer");
    useRuntime([provider()]);
    expect(await list("p")).toMatchObject({
      status: 400,
      body: {
        error: {
          code: "no-key",
          message:
            "Vendor lists its models with an API key only. Add one in the settings or set P_KEY on the server.",
        },
      },
    });
  });

  it("says that the key is refused, without telling it", async () => {
    refuse(401, `Bad key ${userKey}`);
    useRuntime([provider()]);
    const answer = await list("p", {}, { "x-provider-key": userKey });
    expect([answer.status, answer.body.error]).toEqual([
      502,
      { code: "provider-auth", message: "Vendor refuses the API key: 401: Bad key [redacted]" },
    ]);
  });

  it("tells what the host says", async () => {
    refuse(500, "Out of order");
    useRuntime([provider()]);
    expect((await list("p")).body.error).toEqual({
      code: "provider-error",
      message: "Vendor lists no models: 500: Out of order",
    });
  });

  it("says that a host cannot be reached", async () => {
    const gone = await startModelServer({});
    await gone.stop();
    useRuntime([provider({ local: true, baseUrl: gone.origin })]);
    const { status, body } = await list("p");
    expect([status, body.error?.code]).toEqual([502, "provider-unreachable"]);
    expect(body.error?.message).toMatch(
      /^Vendor cannot be reached: .*ECONNREFUSED.*\. Is it running\?$/s,
    );
  });
});

describe("models that are not in the catalog", () => {
  const thrown = (act: () => unknown): HttpError => {
    try {
      act();
    } catch (error) {
      if (error instanceof HttpError) return error;
    }
    throw new Error("No HttpError was thrown.");
  };

  it("can be asked once they were listed", async () => {
    const { catalog } = useRuntime([provider()]);
    const wanted = { provider: "p", id: "new" };
    expect(thrown(() => catalog.resolve(wanted)).code).toBe("unknown-model");
    await list("p", {}, { "x-provider-key": userKey });
    const { model, provider: owner } = catalog.resolve(wanted);
    expect(model).toMatchObject({
      id: "new",
      api: "openai-completions",
      baseUrl: `${host.origin}/v1`,
    });
    expect(owner?.id).toBe("p");
    expect(catalog.resolve({ provider: "p", id: "known" }).model.contextWindow).toBe(9);
  });

  it("cannot be asked after a list from another address", async () => {
    const { catalog } = useRuntime([provider({ baseUrl: "https://vendor.example/v1" })]);
    await list("p", { baseUrl: `${host.origin}/v1` });
    expect(thrown(() => catalog.resolve({ provider: "p", id: "new" })).code).toBe("unknown-model");
  });

  it("can be asked of a server on this machine without any list", async () => {
    const { catalog } = useRuntime([local()]);
    expect(catalog.resolve({ provider: "mine", id: "llama3" }).model).toEqual({
      id: "llama3",
      name: "llama3",
      api: "openai-completions",
      provider: "mine",
      baseUrl: `${host.origin}/v1`,
      reasoning: false,
      input: ["text"],
      contextWindow: 0,
      maxTokens: 0,
    });
  });

  it("cannot be asked of the server's machine by others, by name or by address", async () => {
    const { catalog } = useRuntime([local()], { RILL_HOST: "0.0.0.0" });
    const wanted = { provider: "mine", id: "llama3" };
    expect(thrown(() => catalog.resolve(wanted)).code).toBe("unknown-model");
    const { model } = useRuntime([local()]).catalog.resolve(wanted);
    // Without an owner the address goes through the guard.
    expect(catalog.resolve(model).provider).toBeUndefined();
  });
});

describe("servers on this machine", () => {
  it("are looked for by GET, which does not wait for them, and are in its next answer", async () => {
    const { catalog } = useRuntime([local()]);
    let answerNow: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      host.routes["/v1/models"] = (_request, response) => {
        answerNow = () => response.end(JSON.stringify({ data: [{ id: "llama3" }] }));
        resolve();
      };
    });
    expect(await shown("mine")).toEqual([]);
    await asked;
    answerNow();
    await catalog.localServers.look();
    expect(await shown("mine")).toEqual(["llama3"]);
  });

  it("are not looked for where others can reach the server", async () => {
    const { catalog } = useRuntime([local()], { RILL_HOST: "0.0.0.0" });
    await shown("mine");
    await catalog.localServers.look();
    expect(host.requests).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";
import { type SearchEngine, searchEngineFrom, webSearchTool } from "./web-search";

interface Asked {
  url: URL;
  headers: Headers;
  redirect?: string;
}

function engineOn(env: Record<string, string>, answer: unknown, status = 200) {
  const asked: Asked[] = [];
  const fetch: typeof globalThis.fetch = async (input, init) => {
    asked.push({
      url: new URL(String(input)),
      headers: new Headers(init?.headers),
      redirect: init?.redirect,
    });
    return Response.json(answer, { status });
  };
  return { asked, engine: searchEngineFrom(env, fetch) as SearchEngine };
}

async function search(engine: SearchEngine, args: Record<string, unknown>) {
  const signal = new AbortController().signal;
  const result = await webSearchTool(engine).execute("1", args, signal, () => {});
  const [block] = result.content;
  return { ...result, text: block?.type === "text" ? block.text : "" };
}

describe("web_search", () => {
  it("has no engine until one is configured", () => {
    expect(searchEngineFrom({})).toBeUndefined();
    expect(searchEngineFrom({ RILL_SEARCH_URL: " ", BRAVE_API_KEY: "" })).toBeUndefined();
  });

  it("asks a SearXNG server", async () => {
    const { asked, engine } = engineOn(
      { RILL_SEARCH_URL: "http://search.local:8080", BRAVE_API_KEY: "k" },
      {
        results: [
          { title: "Rill", url: "https://a.example/", content: "A  small\nstream." },
          { title: null, url: "https://b.example/", content: null },
          { title: "Third", url: "https://c.example/", content: "" },
        ],
      },
    );
    const { text, details } = await search(engine, { query: "what is a rill?", count: 2 });
    expect(asked[0]?.url.href).toBe(
      "http://search.local:8080/search?q=what+is+a+rill%3F&format=json",
    );
    expect(asked[0]?.headers.has("x-subscription-token")).toBe(false);
    expect(text).toBe(
      "1. Rill\nhttps://a.example/\nA small stream.\n\n2. https://b.example/\nhttps://b.example/\n",
    );
    expect(details).toMatchObject({ engine: "SearXNG", results: [{ title: "Rill" }, {}] });
  });

  it("keeps a path that the operator gave", async () => {
    const { asked, engine } = engineOn(
      { RILL_SEARCH_URL: "https://x.example/sx/search?lang=de" },
      {
        results: [],
      },
    );
    expect((await search(engine, { query: "a" })).text).toBe("Nothing was found.");
    expect(asked[0]?.url.href).toBe("https://x.example/sx/search?lang=de&q=a&format=json");
  });

  it("asks Brave with its key, and with its key nobody else", async () => {
    const { asked, engine } = engineOn(
      { BRAVE_API_KEY: "secret-key" },
      {
        web: { results: [{ title: "A <strong>rill</strong>", url: "https://a.example/" }] },
      },
    );
    const { text } = await search(engine, { query: "rill" });
    expect(asked[0]?.url.href).toBe(
      "https://api.search.brave.com/res/v1/web/search?q=rill&count=5",
    );
    expect(asked[0]?.headers.get("x-subscription-token")).toBe("secret-key");
    expect(asked[0]?.redirect).toBe("manual");
    expect(text).toBe("1. A rill\nhttps://a.example/\n");
  });

  it.each([
    [{ error: "secret-key is wrong" }, 401, "The search engine Brave answered with status 401."],
    [{ web: 5 }, 200, "gave an answer that is no list of results"],
    [{}, 302, "answered with status 302"],
  ])("says what went wrong: %j %i", async (answer, status, message) => {
    const { engine } = engineOn({ BRAVE_API_KEY: "secret-key" }, answer, status);
    await expect(search(engine, { query: "a" })).rejects.toThrow(message);
  });
});

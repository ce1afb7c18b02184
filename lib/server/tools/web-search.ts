import * as z from "zod";
import type { ServerTool } from "./server-tool";

export interface SearchResult {
  title: string;
  url: string;
  snippet: string;
}

/** Where a search goes. Addresses and keys are the operator's; only the words are the model's. */
export interface SearchEngine {
  name: string;
  /** @throws Error with a sentence */
  search(query: string, count: number, signal: AbortSignal): Promise<SearchResult[]>;
}

export interface WebSearchDetails {
  engine: string;
  results: SearchResult[];
}

const mostResults = 10;
const longestSnippet = 500;

/** The engine that the environment names: a SearXNG server of one's own, or Brave's API. Undefined: none. */
export function searchEngineFrom(
  env: Record<string, string | undefined>,
  fetch: typeof globalThis.fetch = globalThis.fetch,
): SearchEngine | undefined {
  const searxng = env.RILL_SEARCH_URL?.trim();
  if (searxng) return searxngEngine(searxng, fetch);
  const key = env.BRAVE_API_KEY?.trim();
  return key ? braveEngine(key, fetch) : undefined;
}

export function webSearchTool(engine: SearchEngine): ServerTool {
  return {
    name: "web_search",
    label: "Search the web",
    description:
      "Searches the web and gives titles, addresses and short excerpts. Read a result with fetch_url where that is offered. " +
      "Use it for what is recent or what you are not sure of.",
    parameters: {
      type: "object",
      properties: {
        query: { type: "string", minLength: 1, maxLength: 400 },
        count: { type: "integer", minimum: 1, maximum: mostResults, description: "Default: 5." },
      },
      required: ["query"],
      additionalProperties: false,
    },
    timeoutMs: 20_000,
    execute: async (_toolCallId, args, signal) => {
      const found = await engine.search(String(args.query), Number(args.count ?? 5), signal);
      const results = found.slice(0, mostResults);
      const details: WebSearchDetails = { engine: engine.name, results };
      const text = results
        .map(({ title, url, snippet }, index) => `${index + 1}. ${title}\n${url}\n${snippet}`)
        .join("\n\n");
      return { content: [{ type: "text", text: text || "Nothing was found." }], details };
    },
  };
}

const text = z.string().nullish();
const searxngAnswer = z.object({
  results: z.array(z.object({ title: text, url: z.string(), content: text })),
});
const braveAnswer = z.object({
  web: z
    .object({ results: z.array(z.object({ title: text, url: z.string(), description: text })) })
    .nullish(),
});

function searxngEngine(base: string, fetch: typeof globalThis.fetch): SearchEngine {
  return {
    name: "SearXNG",
    async search(query, count, signal) {
      const url = new URL(base);
      if (url.pathname === "/") url.pathname = "/search";
      url.searchParams.set("q", query);
      url.searchParams.set("format", "json");
      const body = await ask("SearXNG", fetch, url, {}, signal);
      const { results } = parse("SearXNG", searxngAnswer, body);
      return results
        .slice(0, count)
        .map((result) => resultOf(result.title, result.url, result.content));
    },
  };
}

const braveAddress = "https://api.search.brave.com/res/v1/web/search";

function braveEngine(key: string, fetch: typeof globalThis.fetch): SearchEngine {
  return {
    name: "Brave",
    async search(query, count, signal) {
      const url = new URL(braveAddress);
      url.searchParams.set("q", query);
      url.searchParams.set("count", String(count));
      const body = await ask("Brave", fetch, url, { "x-subscription-token": key }, signal);
      const { web } = parse("Brave", braveAnswer, body);
      return (web?.results ?? []).map((result) =>
        resultOf(result.title, result.url, result.description),
      );
    },
  };
}

function resultOf(title: unknown, url: string, snippet: unknown): SearchResult {
  return { title: plain(title) || url, url, snippet: plain(snippet).slice(0, longestSnippet) };
}

/** Engines mark the words that were found. */
const plain = (value: unknown): string =>
  typeof value === "string"
    ? value
        .replace(/<\/?(?:strong|b|em)>/g, "")
        .replace(/\s+/g, " ")
        .trim()
    : "";

async function ask(
  name: string,
  fetch: typeof globalThis.fetch,
  url: URL,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<unknown> {
  let response: Response;
  try {
    response = await fetch(url, {
      headers: { accept: "application/json", ...headers },
      signal,
      // A key goes to the host that it is for, wherever that host points.
      redirect: "manual",
    });
  } catch {
    if (signal.aborted) throw signal.reason;
    throw new Error(`The search engine ${name} cannot be reached.`);
  }
  if (!response.ok) {
    await response.body?.cancel().catch(() => {});
    throw new Error(`The search engine ${name} answered with status ${response.status}.`);
  }
  return response.json().catch(() => undefined);
}

function parse<Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  body: unknown,
): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new Error(`The search engine ${name} gave an answer that is no list of results.`);
}

import { describe, expect, it } from "vitest";
import { checkEventOrder } from "../../testing/event-order.ts";
import {
  added,
  callItem,
  completed,
  created,
  delta,
  itemDone,
  messageEvents,
  messageItem,
} from "../../testing/responses-events.ts";
import { play, playEvents } from "../../testing/responses-play.ts";
import { sse } from "../../testing/vendor-server.ts";
import type { Tool } from "../../types.ts";

describe("calls with free text", () => {
  const grammarTool: Tool = {
    name: "write_sql",
    description: "Writes SQL.",
    parameters: { type: "object", properties: { query: { type: "string" } }, required: ["query"] },
    constrainedSampling: { type: "grammar", variants: { openai_regex: "SELECT .+" } },
  };

  it("become the JSON of the tool's one parameter, as it streams too", async () => {
    const input = 'SELECT "a\\b"\n👍';
    const item = { type: "custom_tool_call", id: "ctc_1", call_id: "call_1", name: "write_sql" };
    const { events, message } = await play(
      {
        body: sse([
          created,
          added(0, { ...item, input: "" }),
          delta("custom_tool_call_input", 0, 'SELECT "a'),
          delta("custom_tool_call_input", 0, '\\b"\n👍'),
          itemDone(0, { ...item, input }),
          completed(),
        ]),
      },
      {},
      { compat: { supportsOpenAIGrammarTools: true } },
      [grammarTool],
    );
    expect(checkEventOrder(events)).toEqual([]);
    expect(message.content).toEqual([
      { type: "toolCall", id: "call_1|ctc_1", name: "write_sql", arguments: { query: input } },
    ]);
    const text = events
      .map((event) => (event.type === "toolcall_delta" ? event.delta : ""))
      .join("");
    expect(JSON.parse(text)).toEqual({ query: input });
    expect(message.stopReason).toBe("toolUse");
  });
});

describe("tools held to their schema", () => {
  it("lose the nulls that stand for optional properties", async () => {
    const tool: Tool = {
      name: "add",
      description: "Adds.",
      parameters: {
        type: "object",
        properties: { a: { type: "number" }, note: { type: "string" } },
        required: ["a"],
      },
      constrainedSampling: { type: "json_schema", strict: "prefer" },
    };
    const { message } = await play(
      { body: sse([itemDone(0, callItem({ arguments: '{"a":1,"note":null}' })), completed()]) },
      {},
      { compat: { supportsStrictMode: true } },
      [tool],
    );
    expect(message.content).toMatchObject([{ arguments: { a: 1 } }]);
    expect(message.content[0]).not.toHaveProperty("arguments.note");
  });
});

describe("what the vendor did by itself", () => {
  const search = { type: "web_search_call", id: "ws_1", status: "completed" };
  const cited = messageItem("🍵 Tea (tea.example).", {
    content: [
      {
        type: "output_text",
        text: "🍵 Tea (tea.example).",
        annotations: [
          {
            type: "url_citation",
            url: "https://tea.example",
            title: "Tea",
            start_index: 6,
            end_index: 19,
          },
          { type: "url_citation", url: "https://x.example" },
          { type: "file_citation", file_id: "file-1", filename: "a.pdf", index: 5 },
        ],
      },
    ],
  });

  it("P-401: stays out of the content and is kept whole", async () => {
    const { message } = await playEvents([
      created,
      added(0, { ...search, status: "in_progress" }),
      { type: "response.web_search_call.searching", output_index: 0 },
      itemDone(0, search),
      itemDone(1, cited),
      completed(),
    ]);
    expect(message.content.map(({ type }) => type)).toEqual(["text"]);
    expect(message.native).toEqual({ api: "openai-responses", items: [search, cited] });
    expect(message.stopReason).toBe("stop");
  });

  it("P-402: citations are sources, their places counted in UTF-16 units", async () => {
    const { message } = await playEvents([created, itemDone(0, cited), completed()]);
    const [block] = message.content;
    expect(block?.type === "text" && block.sources).toEqual([
      { url: "https://tea.example", title: "Tea", start: 7, end: 20 },
      { url: "https://x.example" },
      { url: "urn:openai:file:file-1", title: "a.pdf", start: 6, end: 6 },
    ]);
    expect("🍵 Tea (tea.example).".slice(7, 20)).toBe("(tea.example)");
    expect(message.native?.items).toHaveLength(1);
  });

  it("P-402: citations that came only as events are sources too", async () => {
    const { message } = await playEvents([
      created,
      ...messageEvents(0, ["Tea"]).slice(0, -1),
      {
        type: "response.output_text.annotation.added",
        output_index: 0,
        annotation: { type: "url_citation", url: "https://tea.example" },
      },
      completed(),
    ]);
    expect(message.content).toMatchObject([{ sources: [{ url: "https://tea.example" }] }]);
  });

  it("P-402: generated images are the message's", async () => {
    const { message } = await playEvents([
      created,
      itemDone(0, { type: "image_generation_call", id: "ig_1", result: "/9j/AAAA" }),
      itemDone(1, {
        type: "code_interpreter_call",
        id: "ci_1",
        outputs: [
          { type: "logs", logs: "1" },
          { type: "image", url: "data:image/webp;base64,UklGRg==" },
        ],
      }),
      completed(),
    ]);
    expect(message.images).toEqual([
      { type: "image", data: "/9j/AAAA", mimeType: "image/jpeg" },
      { type: "image", data: "UklGRg==", mimeType: "image/webp" },
    ]);
    expect(message.content).toEqual([]);
  });
});

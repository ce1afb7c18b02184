import { describe, expect, it } from "vitest";
import type { AgentMessage } from "@/lib/agent/types";
import type { AssistantMessage } from "@/lib/ai/types";
import type { EntryRow } from "@/lib/browser/db/rows";
import { toolResults } from "./tool-results";
import { transcriptItems } from "./transcript-items";

const assistant = { role: "assistant", content: [] } as unknown as AssistantMessage;
const user: AgentMessage = { role: "user", content: "hi", timestamp: 0 };
const result = (toolCallId: string, text: string): AgentMessage => ({
  role: "toolResult",
  toolCallId,
  toolName: "t",
  content: [{ type: "text", text }],
  isError: false,
  timestamp: 0,
});
const rows = (...messages: AgentMessage[]): EntryRow[] =>
  messages.map((message, seq) => ({
    id: `e${seq}`,
    conversationId: "c",
    parentId: null,
    seq,
    kind: "message",
    message,
    createdAt: 0,
  }));
const withCall = (id: string): AssistantMessage => ({
  ...assistant,
  content: [{ type: "toolCall", id, name: "t", arguments: {} }],
});

describe("the articles of a transcript", () => {
  it("draws results inside their call, and messages of one answer as one", () => {
    const items = transcriptItems(rows(user, withCall("a"), result("a", "1"), assistant), []);
    expect(items.map(({ id, continues, endsAnswer }) => [id, continues, endsAnswer])).toEqual([
      ["e0", false, false],
      ["e1", false, false],
      ["e3", true, true],
    ]);
  });

  it("gives a result without its call an article of its own", () => {
    expect(transcriptItems(rows(user, result("x", "1")), []).map((item) => item.role)).toEqual([
      "user",
      "toolResult",
    ]);
  });

  it("adds what is being written, once", () => {
    const entries = rows(user, assistant);
    const live = [
      { id: "e1", message: assistant },
      { id: "live", message: assistant },
    ];
    expect(transcriptItems(entries, live).map((item) => [item.id, item.row !== undefined])).toEqual(
      [
        ["e0", true],
        ["e1", true],
        ["live", false],
      ],
    );
  });

  it("keeps results apart when a vendor uses an id again", () => {
    const entries = rows(user, withCall("a"), result("a", "1"), withCall("a"), result("a", "2"));
    const results = toolResults(entries);
    expect(results.get("e1")?.get("a")?.content).toEqual([{ type: "text", text: "1" }]);
    expect(results.get("e3")?.get("a")?.content).toEqual([{ type: "text", text: "2" }]);
  });
});

import { describe, expect, it } from "vitest";
import {
  collapseSystemMessages,
  createInitialSystemMessage,
  getCurrentSystemMessage,
  getCurrentSystemPrompt,
  getCurrentTools,
  getInitialSystemMessage,
  getToolStateChanges,
  laterSystemMessageText,
  normalizeContext,
  resolveTranscript,
  resolveTranscriptTools,
  systemMessageText,
  toolDeclarationsEqual,
  toToolDeclaration,
  withoutInitialSystemMessage,
} from "./transcript.ts";
import type { Context, Message, SystemMessage, Tool } from "./types.ts";

const tool = (name: string, fields: Partial<Tool> = {}): Tool => ({
  name,
  description: `Does ${name}.`,
  parameters: { type: "object", properties: {} },
  ...fields,
});
const system = (fields: Partial<SystemMessage> = {}): SystemMessage => ({
  role: "system",
  content: "",
  timestamp: 5,
  ...fields,
});
const user = (content: string): Message => ({ role: "user", content, timestamp: 1 });
const names = (tools: Tool[]): string[] => tools.map(({ name }) => name);

describe("context to transcript", () => {
  it("P-031: prompt and tools are folded into the messages, and nothing else is there", () => {
    const transcript = normalizeContext({ systemPrompt: "P", messages: [], tools: [tool("a")] });
    expect(Object.keys(transcript)).toEqual(["messages"]);
  });

  it("P-033: neither prompt nor tools make no message", () => {
    expect(createInitialSystemMessage(undefined, undefined)).toBeUndefined();
    expect(createInitialSystemMessage("", [])).toBeUndefined();
  });

  it("P-034: the leading message has tools only where there are some", () => {
    expect(createInitialSystemMessage("P", [])).toEqual({
      role: "system",
      content: "P",
      timestamp: 0,
    });
    expect(createInitialSystemMessage(undefined, [tool("a")])).toEqual({
      role: "system",
      content: "",
      timestamp: 0,
      toolsAdded: [tool("a")],
    });
  });

  it("P-035: it comes first, before a system message that was there already", () => {
    const own = system({ content: "mine" });
    const { messages } = normalizeContext({ systemPrompt: "P", messages: [own, user("hi")] });
    expect(messages).toMatchObject([{ content: "P" }, { content: "mine" }, { content: "hi" }]);
    expect(getCurrentSystemPrompt(messages)).toBe("P\n\nmine");
  });

  it("P-036: without either the messages stay the same list, and the context is never changed", () => {
    const context: Context = { messages: [user("hi")] };
    expect(normalizeContext(context).messages).toBe(context.messages);
    const full: Context = { systemPrompt: "P", messages: [user("hi")], tools: [tool("a")] };
    const before = structuredClone(full);
    normalizeContext(full);
    expect(full).toEqual(before);
  });
});

describe("replay of system messages", () => {
  it("P-037: inside one message removals come before additions", () => {
    const messages = [
      system({ toolsAdded: [tool("a"), tool("b")] }),
      system({ toolsRemoved: [{ name: "a" }], toolsAdded: [tool("c")] }),
    ];
    expect(names(getCurrentTools(messages))).toEqual(["b", "c"]);
  });

  it("P-038: removed and added in one message moves to the end, added again keeps its place", () => {
    const first = system({ toolsAdded: [tool("a"), tool("b")] });
    const again = tool("a", { description: "new" });
    expect(
      names(
        getCurrentTools([first, system({ toolsRemoved: [{ name: "a" }], toolsAdded: [again] })]),
      ),
    ).toEqual(["b", "a"]);
    const replaced = getCurrentTools([first, system({ toolsAdded: [again] })]);
    expect(names(replaced)).toEqual(["a", "b"]);
    expect(replaced[0]?.description).toBe("new");
  });

  it("P-039: removing what is not there does nothing", () => {
    const messages = [system({ toolsAdded: [tool("a")], toolsRemoved: [{ name: "x" }] })];
    expect(names(getCurrentTools(messages))).toEqual(["a"]);
  });

  it("P-040: texts are joined by blank lines, in order", () => {
    const messages = [system({ content: "A" }), user("hi"), system({ content: "B" })];
    expect(getCurrentSystemMessage(messages)?.content).toBe("A\n\nB");
  });

  it("P-041: blocks of one message stand on lines of their own, empty texts add nothing", () => {
    const content = [
      { type: "text", text: "A" },
      { type: "text", text: "B" },
    ] as const;
    const messages = [
      system({ content: [...content] }),
      system({ content: "" }),
      system({ content: "C" }),
    ];
    expect(getCurrentSystemMessage(messages)?.content).toBe("A\nB\n\nC");
  });

  it("P-042: a section keeps its place when it is replaced and goes last when it is set anew", () => {
    const messages = [
      system({ sections: { a: "1", b: "2", c: "3" } }),
      system({ sections: { a: "one", b: null } }),
      system({ sections: { b: "two" } }),
    ];
    expect(getCurrentSystemPrompt(messages)).toBe("one\n\n3\n\ntwo");
  });

  it("P-042, W-37: sections named like numbers keep the order in which they were set", () => {
    const messages = [
      system({ sections: { "10": "first" } }),
      system({ sections: { "2": "second" } }),
    ];
    expect(getCurrentSystemPrompt(messages)).toBe("first\n\nsecond");
    const collapsed = collapseSystemMessages(normalizeContext({ messages }));
    expect(systemMessageText(collapsed.messages[0] as SystemMessage)).toBe("first\n\nsecond");
  });

  it("P-043: the replayed message holds what survives and the time of the first one", () => {
    const gone = [
      system({ content: "A", sections: { a: "1" }, toolsAdded: [tool("a")], timestamp: 3 }),
      system({ sections: { a: null }, toolsRemoved: [{ name: "a" }], timestamp: 9 }),
    ];
    expect(getCurrentSystemMessage(gone)).toEqual({ role: "system", content: "A", timestamp: 3 });
    expect(getCurrentSystemMessage(gone.slice(0, 1))).toEqual({
      role: "system",
      content: "A",
      sections: { a: "1" },
      toolsAdded: [tool("a")],
      timestamp: 3,
    });
  });

  it("P-044: without a system message there is neither message nor prompt", () => {
    expect(getCurrentSystemMessage([user("hi")])).toBeUndefined();
    expect(getCurrentSystemPrompt([user("hi")])).toBe("");
  });

  it("P-045: the prompt is the content and the sections' values, empty parts skipped", () => {
    const message = system({ content: "A", sections: { mood: "calm", none: "", pace: "slow" } });
    expect(getCurrentSystemPrompt([message])).toBe("A\n\ncalm\n\nslow");
    expect(systemMessageText(message)).toBe("A\n\ncalm\n\nslow");
  });

  it("P-046: a later message names the sections that it changes", () => {
    const text = laterSystemMessageText(
      system({ content: "A", sections: { mood: "calm", pace: null } }),
    );
    expect(text).toBe(
      'A\n\n[The section "mood" of your instructions now reads:]\ncalm\n\n[The section "pace" of your instructions no longer applies.]',
    );
  });

  it("P-047: collapsing puts one message first and keeps the others in order", () => {
    const messages = [user("1"), system({ content: "A" }), user("2"), system({ content: "B" })];
    const collapsed = collapseSystemMessages(normalizeContext({ messages }));
    expect(collapsed.messages).toMatchObject([
      { content: "A\n\nB" },
      { content: "1" },
      { content: "2" },
    ]);
    const without = collapseSystemMessages(normalizeContext({ messages: [user("1")] }));
    expect(without.messages).toEqual([user("1")]);
  });

  it("P-048: a transcript stays the same object where system messages may stand anywhere", () => {
    const transcript = normalizeContext({ messages: [user("1"), system({ content: "A" })] });
    expect(resolveTranscript(transcript, true)).toBe(transcript);
    for (const flag of [false, undefined]) {
      expect(resolveTranscript(transcript, flag).messages[0]).toMatchObject({ content: "A" });
    }
  });

  it("P-049: the leading message is the first one, if that is a system message", () => {
    const [first, second] = [system({ content: "A" }), system({ content: "B" })];
    expect(getInitialSystemMessage([first, second])).toBe(first);
    expect(getInitialSystemMessage([user("1"), first])).toBeUndefined();
    expect(withoutInitialSystemMessage([first, second])).toEqual([second]);
    expect(withoutInitialSystemMessage([user("1"), first])).toEqual([user("1"), first]);
  });

  it("P-055: prompt and tools at any point follow from the messages up to it", () => {
    const messages = [
      system({ content: "A", toolsAdded: [tool("a")] }),
      user("1"),
      system({ content: "B", toolsRemoved: [{ name: "a" }], toolsAdded: [tool("b")] }),
    ];
    const at = (count: number): unknown => {
      const seen = messages.slice(0, count);
      return [getCurrentSystemPrompt(seen), names(getCurrentTools(seen))];
    };
    expect([at(1), at(2), at(3)]).toEqual([
      ["A", ["a"]],
      ["A", ["a"]],
      ["A\n\nB", ["b"]],
    ]);
  });
});

describe("tools of a transcript", () => {
  it("P-050: a declaration holds what a model is told and no more", () => {
    const parameters = { type: "object", properties: { a: { type: "string" } } };
    const full = {
      ...tool("a", { parameters, constrainedSampling: false }),
      execute: () => 1,
      label: "A",
    };
    const declaration = toToolDeclaration(full);
    expect(declaration).toEqual({
      name: "a",
      description: "Does a.",
      parameters,
      constrainedSampling: false,
    });
    expect(declaration.parameters).not.toBe(parameters);
    expect(toToolDeclaration(tool("a"))).not.toHaveProperty("constrainedSampling");
  });

  it("P-051, W-37: the order of keys makes no difference between two tools", () => {
    const one = tool("a", {
      parameters: { type: "object", properties: { x: { type: "string", title: "X" } } },
    });
    const two = tool("a", {
      parameters: { properties: { x: { title: "X", type: "string" } }, type: "object" },
    });
    expect(toolDeclarationsEqual(one, two)).toBe(true);
    expect(toolDeclarationsEqual(one, tool("a"))).toBe(false);
  });

  it("P-052: a changed tool is removed by name and added whole, an unchanged one is not told", () => {
    const changed = tool("b", { description: "new" });
    expect(
      getToolStateChanges([tool("a"), tool("b"), tool("c")], [tool("d"), changed, tool("a")]),
    ).toEqual({ toolsRemoved: [{ name: "b" }, { name: "c" }], toolsAdded: [tool("d"), changed] });
    expect(getToolStateChanges([tool("a")], [tool("a")])).toEqual({
      toolsRemoved: [],
      toolsAdded: [],
    });
  });

  const growing = [
    system({ toolsAdded: [tool("a")] }),
    user("1"),
    system({ toolsRemoved: [{ name: "a" }], toolsAdded: [tool("b")] }),
    user("2"),
    system({ toolsAdded: [tool("c")] }),
  ];

  it("P-053: what the request lists depends on what the host can be told later", () => {
    expect(names(resolveTranscriptTools(growing, "none"))).toEqual(["b", "c"]);
    expect(names(resolveTranscriptTools(growing, "changes"))).toEqual([]);
    expect(names(resolveTranscriptTools(growing, "additions"))).toEqual(["b"]);
    expect(names(resolveTranscriptTools(growing.slice(0, 1), "additions"))).toEqual(["a"]);
  });

  it("P-054: a tool that comes back after its removal counts as declared anew", () => {
    const back = [...growing, system({ toolsAdded: [tool("a")] })];
    expect(names(resolveTranscriptTools(back, "additions"))).toEqual(["b", "c", "a"]);
  });
});

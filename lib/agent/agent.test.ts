import { describe, expect, it } from "vitest";
import type { SystemMessage } from "../ai/types.ts";
import { Agent, type AgentOptions } from "./agent.ts";
import { eventNames } from "./testing/event-names.ts";
import { gate, textOf, textResult, tool, user } from "./testing/harness.ts";
import {
  call,
  calls,
  type ScriptedModel,
  says,
  scripted,
  testModel,
} from "./testing/scripted-stream.ts";
import type { AgentEvent } from "./types.ts";

const agentOf = (script: ScriptedModel, options: Partial<AgentOptions> = {}): Agent =>
  new Agent({ model: testModel, streamFn: script.streamFn, ...options });

const recorded = (agent: Agent): AgentEvent[] => {
  const events: AgentEvent[] = [];
  agent.subscribe((event) => void events.push(event));
  return events;
};

const roles = (agent: Agent): string[] => agent.state.messages.map((message) => message.role);

describe("state", () => {
  it("L-100 L-101: prompt and tools become a leading system message, and arrays are copied", () => {
    const tools = [tool("t")];
    const agent = agentOf(scripted([]), { systemPrompt: "Be kind.", tools });
    tools.pop();
    expect(roles(agent)).toEqual(["system"]);
    expect(agent.state.systemPrompt).toBe("Be kind.");
    expect(agent.state.tools.map((entry) => entry.name)).toEqual(["t"]);
    const messages = [user("hi")];
    agent.state.messages = messages;
    messages.pop();
    expect(agent.state.messages).toHaveLength(1);
    expect(agent.state).toMatchObject({
      thinkingLevel: "off",
      isStreaming: false,
      streamingMessage: undefined,
      errorMessage: undefined,
    });
    expect(agent.state.pendingToolCalls.size).toBe(0);
  });

  it("L-101: messages that begin with a system message keep it", () => {
    const system: SystemMessage = { role: "system", content: "Old.", timestamp: 0 };
    const agent = agentOf(scripted([]), { systemPrompt: "New.", messages: [system] });
    expect(agent.state.systemPrompt).toBe("Old.");
  });

  it("L-102: is folded before listeners hear of an event", async () => {
    const agent = agentOf(scripted([calls([call("1", "t")]), "ok"]), { tools: [tool("t")] });
    const log: string[] = [];
    agent.subscribe((event) => {
      const { streamingMessage, pendingToolCalls, messages } = agent.state;
      log.push(
        `${eventNames([event]) || event.type} ${streamingMessage?.role ?? "-"} ${[...pendingToolCalls]} ${messages.length}`,
      );
    });
    await agent.prompt("hi");
    expect(log).toEqual([
      "AS -  1",
      "TS -  1",
      "message_start user  1",
      "ME without its MS(user) -  2",
      "MS assistant  2",
      "MU*1 assistant  2",
      "MU*1 assistant  2",
      "MU*1 assistant  2",
      "ME(toolUse) -  3",
      "XS(1) - 1 3",
      "XE(1) -  3",
      "message_start toolResult  3",
      "ME without its MS(result 1) -  4",
      "TE(1) -  4",
      "TS -  4",
      "MS assistant  4",
      "MU*1 assistant  4",
      "MU*1 assistant  4",
      "MU*1 assistant  4",
      "ME(stop) -  5",
      "TE(0) -  5",
      "AE(4) -  5",
    ]);
  });

  it("L-102: each change of the running calls is a new set", async () => {
    const agent = agentOf(scripted([calls([call("1", "t"), call("2", "t")]), "ok"]), {
      tools: [tool("t")],
    });
    const sets: ReadonlySet<string>[] = [];
    agent.subscribe((event) => {
      if (event.type.startsWith("tool_execution")) sets.push(agent.state.pendingToolCalls);
    });
    await agent.prompt("hi");
    expect(sets.map((set) => [...set])).toEqual([["1"], ["1", "2"], ["2"], []]);
    expect(new Set(sets).size).toBe(4);
  });

  it("L-102: the error of a turn stays until the next one is over", async () => {
    const agent = agentOf(
      scripted([says("x", { stopReason: "error", errorMessage: "overloaded" }), "ok"]),
    );
    await agent.prompt("hi");
    expect(agent.state.errorMessage).toBe("overloaded");
    await agent.prompt("again");
    expect(agent.state.errorMessage).toBeUndefined();
  });

  it("L-109: reset keeps one system message with prompt and tools, and refuses while running", async () => {
    const started = gate();
    const done = gate();
    const agent = agentOf(scripted([calls([call("1", "t")]), "ok"]), {
      systemPrompt: "Be kind.",
      tools: [
        tool("t", async () => {
          started.open();
          await done.wait;
          return textResult("");
        }),
      ],
    });
    agent.followUp(user("later"));
    const running = agent.prompt("hi");
    await started.wait;
    expect(() => agent.reset()).toThrow("running");
    agent.clearFollowUpQueue();
    done.open();
    await running;
    agent.steer(user("left over"));
    agent.reset();
    expect(roles(agent)).toEqual(["system"]);
    expect(agent.state.systemPrompt).toBe("Be kind.");
    expect(agent.hasQueuedMessages()).toBe(false);
  });
});

describe("runs", () => {
  it("L-104: a text with images becomes one user message; a list is used as it is", async () => {
    const agent = agentOf(scripted(["a", "b"]));
    const image = { type: "image" as const, data: "AA==", mimeType: "image/png" };
    await agent.prompt("look", [image]);
    expect(agent.state.messages[0]).toMatchObject({
      role: "user",
      content: [{ type: "text", text: "look" }, image],
    });
    const given = [user("one"), user("two")];
    await agent.prompt(given);
    expect(agent.state.messages.slice(2, 4)).toEqual(given);
  });

  it("L-104: a prompt while running is refused and names the queues", async () => {
    const agent = agentOf(scripted(["a"]));
    const first = agent.prompt("hi");
    await expect(agent.prompt("me too")).rejects.toThrow(/steer\(\) or followUp\(\)/);
    await expect(agent.continue()).rejects.toThrow(/running/);
    await first;
    expect(roles(agent)).toEqual(["user", "assistant"]);
  });

  it("L-103: listeners are awaited in order of subscription, with the signal, until they leave", async () => {
    const agent = agentOf(scripted(["a", "b"]));
    const log: string[] = [];
    const leave = agent.subscribe(async (event, signal) => {
      if (event.type !== "agent_end") return;
      await Promise.resolve();
      log.push(`first ${signal.aborted}`);
    });
    agent.subscribe((event) => {
      if (event.type === "agent_end") log.push("second");
    });
    await agent.prompt("hi");
    leave();
    await agent.prompt("hi");
    expect(log).toEqual(["first false", "second", "second"]);
  });

  it("L-105: a run is over when the listeners of its end have settled", async () => {
    const agent = agentOf(scripted(["a"]));
    const hold = gate();
    const atEnd = gate();
    agent.subscribe(async (event) => {
      if (event.type !== "agent_end") return;
      atEnd.open();
      await hold.wait;
    });
    let idle = false;
    await agent.waitForIdle();
    const running = agent.prompt("hi");
    const waiting = agent.waitForIdle().then(() => {
      idle = true;
    });
    await atEnd.wait;
    expect([idle, agent.state.isStreaming]).toEqual([false, true]);
    hold.open();
    await Promise.all([running, waiting]);
    expect([idle, agent.state.isStreaming]).toEqual([true, false]);
  });

  it("L-106: model, level and tools are those of the run's start", async () => {
    const script = scripted([calls([call("1", "t")]), "ok", "next"]);
    const agent = agentOf(script, { tools: [tool("t")], thinkingLevel: "low" });
    const stop = agent.subscribe((event) => {
      if (event.type !== "tool_execution_start") return;
      agent.state.model = { ...testModel, id: "other" };
      agent.state.thinkingLevel = "high";
      agent.state.tools = [];
    });
    await agent.prompt("hi");
    stop();
    await agent.prompt("again");
    expect(script.requests.map(({ model, options }) => `${model.id} ${options.reasoning}`)).toEqual(
      ["scripted-1 low", "scripted-1 low", "other high"],
    );
    const removal = agent.state.messages.findLast((message) => message.role === "system");
    expect(removal).toMatchObject({ toolsRemoved: [{ name: "t" }] });
  });

  it("L-107: abort ends the run; prompt resolves with an aborted message last", async () => {
    const agent = agentOf(scripted([says("half", { ending: "never" })]), { abortGraceMs: 1 });
    agent.subscribe((event) => {
      if (event.type === "message_update") agent.abort();
    });
    await agent.prompt("hi");
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "aborted" });
    expect(agent.signal).toBeUndefined();
  });

  it("L-108: an exception out of the loop is an answer with one empty text, and prompt resolves", async () => {
    const agent = agentOf(scripted(["a"]), {
      transformContext: () => {
        throw new Error("broken");
      },
    });
    const events = recorded(agent);
    await agent.prompt("hi");
    expect(eventNames(events)).toBe("AS TS M(user) MS ME(error) TE(0) AE(2)");
    expect(agent.state.messages.at(-1)).toMatchObject({
      content: [{ type: "text", text: "" }],
      stopReason: "error",
      errorMessage: "broken",
    });
    expect(agent.state.errorMessage).toBe("broken");
  });

  it("L-122: a listener that always throws ends no run, adds no message and reaches no other listener", async () => {
    const errors: string[] = [];
    const agent = agentOf(scripted(["fine"]), {
      onListenerError: (error, event) => void errors.push(`${event.type}: ${error}`),
    });
    agent.subscribe(() => {
      throw new Error("ui bug");
    });
    const events = recorded(agent);
    await agent.prompt("hi");
    expect(eventNames(events)).toBe("AS TS M(user) MS MU*3 ME(stop) TE(0) AE(2)");
    expect(roles(agent)).toEqual(["user", "assistant"]);
    expect(agent.state.errorMessage).toBeUndefined();
    expect(errors).toHaveLength(events.length);
    expect(errors.at(-1)).toBe("agent_end: Error: ui bug");
  });
});

describe("what comes after a run", () => {
  it("L-110: is no event: a tool's late word reaches neither listeners nor the state", async () => {
    const agent = agentOf(scripted([calls([call("1", "t")]), "ok"]), {
      tools: [
        tool("t", async (_id, _args, _signal, onUpdate) => {
          late = onUpdate;
          return textResult("done");
        }),
      ],
    });
    let late: Parameters<ReturnType<typeof tool>["execute"]>[3] = () => {};
    await agent.prompt("hi");
    const events = recorded(agent);
    const before = structuredClone(agent.state.messages);
    late({ details: "too late" });
    await agent.waitForIdle();
    expect(events).toEqual([]);
    expect(agent.state.messages).toEqual(before);
  });
});

describe("continue", () => {
  it("L-082: is refused without a message, or with system messages only", async () => {
    await expect(agentOf(scripted([])).continue()).rejects.toThrow("no message");
    await expect(agentOf(scripted([]), { systemPrompt: "p" }).continue()).rejects.toThrow(
      "no message",
    );
  });

  it("L-083: after an answer takes steering first, without asking for it again, then follow-ups, then refuses", async () => {
    const script = scripted(["a", "b", "c", "d"]);
    const agent = agentOf(script);
    await agent.prompt("hi");
    agent.followUp(user("follow"));
    agent.steer(user("steer 1"));
    agent.steer(user("steer 2"));
    const events = recorded(agent);
    await agent.continue();
    expect(eventNames(events)).toBe(
      "AS TS M(user) MS MU*3 ME(stop) TE(0) TS M(user) MS MU*3 ME(stop) TE(0) TS M(user) MS MU*3 ME(stop) TE(0) AE(6)",
    );
    expect(script.requests.map(({ messages }) => textOf(messages.at(-1)))).toEqual([
      "hi",
      "steer 1",
      "steer 2",
      "follow",
    ]);
    await expect(agent.continue()).rejects.toThrow("nothing is queued");
  });

  it("L-083: with follow-ups alone takes the next of them", async () => {
    const agent = agentOf(scripted(["a", "b"]));
    await agent.prompt("hi");
    agent.followUp(user("follow"));
    await agent.continue();
    expect(agent.state.messages.map(textOf)).toEqual(["hi", "a", "follow", "b"]);
  });

  it("L-084: after a user message goes on as usual", async () => {
    const agent = agentOf(scripted(["a"]), { messages: [user("hi")] });
    const events = recorded(agent);
    await agent.continue();
    expect(eventNames(events)).toBe("AS TS MS MU*3 ME(stop) TE(0) AE(1)");
  });

  it("L-130: after a limit of turns goes on", async () => {
    const agent = agentOf(scripted([calls([call("1", "t")]), "ok"]), {
      tools: [tool("t")],
      maxTurns: 1,
    });
    await agent.prompt("hi");
    expect(agent.state.messages.at(-1)).toMatchObject({ stopReason: "error" });
    await agent.continue();
    expect(textOf(agent.state.messages.at(-1))).toBe("ok");
  });
});

describe("queues of an agent", () => {
  it("L-091 L-092: peek shows steering first; each queue is cleared by itself or with the other", () => {
    const agent = agentOf(scripted([]));
    agent.followUp(user("f"));
    expect(agent.peekQueuedMessages().map(textOf)).toEqual(["f"]);
    agent.steer(user("s1"));
    agent.steer(user("s2"));
    expect(agent.peekQueuedMessages().map(textOf)).toEqual(["s1"]);
    agent.steeringMode = "all";
    expect(agent.peekQueuedMessages().map(textOf)).toEqual(["s1", "s2"]);
    agent.clearSteeringQueue();
    expect(agent.peekQueuedMessages().map(textOf)).toEqual(["f"]);
    agent.steer(user("s"));
    agent.clearAllQueues();
    expect(agent.hasQueuedMessages()).toBe(false);
  });

  it("L-093: two steering messages reach two turns", async () => {
    const script = scripted([calls([call("1", "t")]), calls([call("2", "t")]), "ok"]);
    const agent = agentOf(script, { tools: [tool("t")] });
    let sent = false;
    agent.subscribe((event) => {
      if (event.type !== "tool_execution_start" || sent) return;
      sent = true;
      agent.steer(user("first"));
      agent.steer(user("second"));
    });
    await agent.prompt("hi");
    expect(script.requests.map(({ messages }) => textOf(messages.at(-1)))).toEqual([
      "hi",
      "first",
      "second",
    ]);
  });

  it("L-094: what is queued when a run fails stays and is told", async () => {
    const agent = agentOf(scripted([says("x", { stopReason: "error" })]));
    const events = recorded(agent);
    agent.followUp(user("later"));
    await agent.prompt("hi");
    expect(agent.hasQueuedMessages()).toBe(true);
    const end = events.at(-1);
    expect(end?.type === "agent_end" && end.queued?.map(textOf)).toEqual(["later"]);
  });
});

import * as z from "zod";
import type { AgentMessage, AgentToolResult } from "@/lib/agent/types";

/** What a person may tell a run while it is on. Plain JSON, so that it can come from another instance. */
export type RunCommand =
  | { type: "abort" }
  | { type: "message"; id?: string; message: AgentMessage; mode: "steer" | "followUp" }
  | {
      type: "decision";
      toolCallId: string;
      decision: "allow" | "deny";
      reason?: string;
      always?: boolean;
    }
  | { type: "result"; toolCallId: string; result: AgentToolResult };

/** `not-waiting`: no tool call of that id waits for this. */
export type CommandOutcome = "done" | "ended" | "not-waiting";

/** Tells a run that is on in this process; undefined when there is none of that id. */
export type CommandHandler = (runId: string, command: RunCommand) => CommandOutcome | undefined;

const outcome = z.enum(["done", "ended", "not-waiting"]);

// The instance that sends it has checked the message or result itself; here only what the run relies on.
const command = z.discriminatedUnion("type", [
  z.looseObject({ type: z.literal("abort") }),
  z.looseObject({
    type: z.literal("message"),
    id: z.string().optional(),
    message: z.looseObject({ role: z.literal("user"), timestamp: z.number() }),
    mode: z.enum(["steer", "followUp"]),
  }),
  z.looseObject({
    type: z.literal("decision"),
    toolCallId: z.string(),
    decision: z.enum(["allow", "deny"]),
    reason: z.string().optional(),
    always: z.boolean().optional(),
  }),
  z.looseObject({
    type: z.literal("result"),
    toolCallId: z.string(),
    result: z.looseObject({ content: z.array(z.looseObject({ type: z.string() })) }),
  }),
]);

const envelope = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("command"),
    id: z.string(),
    from: z.string(),
    runId: z.string(),
    command,
  }),
  z.object({ kind: z.literal("reply"), id: z.string(), outcome }),
]);

/** What one instance sends to another. */
export type InstanceMail =
  | { kind: "command"; id: string; from: string; runId: string; command: RunCommand }
  | { kind: "reply"; id: string; outcome: CommandOutcome };

/** Undefined for what is no such thing, as from a newer version. */
export function parseInstanceMail(json: string): InstanceMail | undefined {
  try {
    return envelope.parse(JSON.parse(json)) as InstanceMail;
  } catch {
    return undefined;
  }
}

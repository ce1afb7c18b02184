import * as z from "zod";
import type { AgentMessage } from "@/lib/agent/types";
import { getCurrentSystemMessage } from "@/lib/ai/transcript";
import type { SystemMessage } from "@/lib/ai/types";
import type { ServerTool } from "./server-tool";

const statuses = ["pending", "in_progress", "done", "dropped"] as const;
const mostItems = 50;
const longestItem = 300;

const planSchema = z
  .array(z.object({ text: z.string().min(1).max(longestItem), status: z.enum(statuses) }))
  .max(mostItems);

export type PlanItem = z.infer<typeof planSchema>[number];

/** What a card shows of a plan. */
export interface PlanDetails {
  plan: PlanItem[];
}

export const planToolName = "update_plan";
const sectionName = "plan";

/**
 * The plan of a conversation during one run. A change reaches the model as the section `plan` of a system message that is
 * kept with the conversation; a later one takes its place.
 */
export class Plan {
  private items: PlanItem[];
  /** What the model has been told. */
  private told: string | null;

  /** Of the messages so far: the plan that was last set in this branch of the conversation. */
  constructor(messages: AgentMessage[]) {
    const known = messages.filter((message) => message.role !== "custom");
    this.told = getCurrentSystemMessage(known)?.sections?.[sectionName] ?? null;
    this.items = lastPlan(messages) ?? [];
  }

  tool(): ServerTool {
    return planTool((items) => {
      this.items = items;
    });
  }

  /** The message that brings the model up to date, or undefined when it is. */
  takeChange(): SystemMessage | undefined {
    const text = sectionText(this.items);
    if (text === this.told) return undefined;
    this.told = text;
    return {
      role: "system",
      content: "",
      sections: { [sectionName]: text },
      timestamp: Date.now(),
    };
  }
}

/** The tool as it is listed: what it is told is kept by nobody. */
export const listedPlanTool = (): ServerTool => planTool(() => {});

function planTool(set: (items: PlanItem[]) => void): ServerTool {
  return {
    name: planToolName,
    label: "Plan",
    description:
      "Keeps a plan of a task with several steps. Give the whole plan each time; it replaces the one before and stays in your instructions. " +
      "Mark one step in_progress while you do it and done at once when it is done. An empty list removes the plan.",
    parameters: {
      type: "object",
      properties: {
        plan: {
          type: "array",
          maxItems: mostItems,
          items: {
            type: "object",
            properties: {
              text: { type: "string", minLength: 1, maxLength: longestItem },
              status: { type: "string", enum: [...statuses] },
            },
            required: ["text", "status"],
            additionalProperties: false,
          },
        },
      },
      required: ["plan"],
      additionalProperties: false,
    },
    // Two plans of one message must not overtake each other.
    execution: "sequential",
    execute: async (_toolCallId, args) => {
      const plan = planSchema.parse(args.plan);
      set(plan);
      const done = plan.filter((item) => item.status === "done").length;
      const text = plan.length === 0 ? "The plan is removed." : `${done} of ${plan.length} done.`;
      const details: PlanDetails = { plan };
      return { content: [{ type: "text", text }], details };
    },
  };
}

function lastPlan(messages: AgentMessage[]): PlanItem[] | undefined {
  const result = messages.findLast(
    (message) =>
      message.role === "toolResult" && message.toolName === planToolName && !message.isError,
  );
  const details = result?.role === "toolResult" ? result.details : undefined;
  const parsed = z.object({ plan: planSchema }).safeParse(details);
  return parsed.success ? parsed.data.plan : undefined;
}

const marks: Record<PlanItem["status"], string> = {
  pending: "[ ]",
  in_progress: "[~]",
  done: "[x]",
  dropped: "[-]",
};

function sectionText(items: PlanItem[]): string | null {
  if (items.length === 0) return null;
  const lines = items.map(({ text, status }) => `${marks[status]} ${text.replace(/\s+/g, " ")}`);
  return `Your plan ([x] done, [~] in progress, [ ] to do, [-] dropped); change it with ${planToolName}:\n${lines.join("\n")}`;
}

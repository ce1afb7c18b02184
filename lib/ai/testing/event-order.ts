import type { AssistantMessageEvent } from "../types.ts";

/** An event as a reader sees it; `partial` may have been left out of a recording. */
export type RecordedEvent = AssistantMessageEvent extends infer Event
  ? Event extends { partial: unknown }
    ? Omit<Event, "partial"> & { partial?: unknown }
    : Event
  : never;

interface BlockState {
  kind: "text" | "thinking" | "toolcall";
  text: string;
  ended: boolean;
}

/**
 * What in a list of one response's events breaks the order of the protocol, a line each; empty when nothing does. Rules are
 * named by their numbers in docs/protocol.md.
 */
export function checkEventOrder(events: readonly RecordedEvent[]): string[] {
  const problems: string[] = [];
  const blocks: BlockState[] = [];
  let partial: unknown;
  let started = false;
  let over: string | undefined;
  const report = (index: number, rule: string, what: string): void => {
    problems.push(`event ${index}: ${what} (${rule})`);
  };
  events.forEach((event, index) => {
    if (over) report(index, "P-082", `${event.type} after ${over}`);
    if (event.type === "start") {
      if (started) report(index, "P-081", "a second start");
      started = true;
    } else if (!started && event.type !== "error") {
      report(index, "P-081", `${event.type} before start`);
    }
    if ("partial" in event && event.partial !== undefined) {
      partial ??= event.partial;
      if (partial !== event.partial) report(index, "P-086", "another partial");
    }
    switch (event.type) {
      case "start":
        break;
      case "done":
        over = "done";
        if (event.reason !== event.message.stopReason) {
          report(index, "P-085", `reason ${event.reason}, message ${event.message.stopReason}`);
        }
        blocks.forEach((block, at) => {
          if (!block.ended) report(index, "P-094", `block ${at} was never ended`);
        });
        break;
      case "error":
        over = "error";
        if (event.reason !== event.error.stopReason) {
          report(index, "P-085", `reason ${event.reason}, message ${event.error.stopReason}`);
        }
        break;
      default:
        checkBlock(event, index, blocks, report);
    }
  });
  if (!over) problems.push(`the end: neither done nor error (P-082)`);
  return problems;
}

type BlockEvent = Exclude<RecordedEvent, { type: "start" | "done" | "error" }>;

function checkBlock(
  event: BlockEvent,
  index: number,
  blocks: BlockState[],
  report: (index: number, rule: string, what: string) => void,
): void {
  const [kind, step] = event.type.split("_") as [BlockState["kind"], "start" | "delta" | "end"];
  if (typeof event.contentIndex !== "number") {
    report(index, "P-084", `${event.type} without contentIndex`);
    return;
  }
  if (step === "start") {
    if (event.contentIndex !== blocks.length) {
      report(index, "P-092", `block ${event.contentIndex} begins where ${blocks.length} is next`);
    }
    blocks[event.contentIndex] = { kind, text: "", ended: false };
    return;
  }
  const block = blocks[event.contentIndex];
  if (!block || block.kind !== kind) {
    report(
      index,
      "P-087",
      `${event.type} of block ${event.contentIndex}, which did not begin as such`,
    );
    return;
  }
  if (block.ended) {
    report(index, "P-092", `${event.type} of block ${event.contentIndex}, which has ended`);
    return;
  }
  if ("delta" in event) {
    if (typeof event.delta !== "string") report(index, "P-084", `${event.type} without delta`);
    else block.text += event.delta;
    return;
  }
  block.ended = true;
  if ("content" in event) {
    if (event.content !== block.text) {
      report(
        index,
        "P-088",
        `block ${event.contentIndex} ends with text that its deltas do not give`,
      );
    }
  } else if (!("toolCall" in event) || event.toolCall?.type !== "toolCall") {
    report(index, "P-084", `${event.type} without toolCall`);
  }
}

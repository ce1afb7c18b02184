import { randomId } from "../../random-id.ts";
import type { DemoStep } from "./plan.ts";

/** The demo's own wire format: one JSON value per server-sent event. */
export type DemoEvent =
  | { type: "thinking"; delta: string }
  | { type: "text"; delta: string }
  | { type: "call"; id: string; name: string }
  | { type: "arguments"; delta: string }
  | { type: "error"; message: string }
  | { type: "end"; inputTokens: number; text: string; thinking: string };

// About 60 tokens a second with a breath before each block, as hosted models of middle size do.
const firstTokenMs = 320;
const blockMs = 140;
const tokenMs = 17;
const argumentMs = 12;

/**
 * The steps as events at a model's pace.
 * @param stretch factor on every wait; 0 for none
 */
export async function* pacedEvents(
  steps: DemoStep[],
  inputTokens: number,
  stretch: number,
  signal: AbortSignal,
): AsyncGenerator<DemoEvent> {
  const wait = (ms: number): Promise<void> => pause(ms * stretch, signal);
  let text = "";
  let thinking = "";
  await wait(firstTokenMs);
  for (const step of steps) {
    switch (step.type) {
      case "think":
      case "say":
        await wait(blockMs);
        for (const delta of pieces(step.text)) {
          await wait(tokenMs);
          if (step.type === "say") text += delta;
          else thinking += delta;
          yield { type: step.type === "say" ? "text" : "thinking", delta };
        }
        break;
      case "call":
        await wait(blockMs);
        yield { type: "call", id: `demo_${randomId().slice(0, 8)}`, name: step.name };
        for (const delta of JSON.stringify(step.arguments).match(/.{1,6}/gs) ?? []) {
          await wait(argumentMs);
          yield { type: "arguments", delta };
        }
        break;
      case "pause":
        await wait(step.ms);
        break;
      case "break":
        yield { type: "error", message: step.message };
        return;
      case "cut":
        return;
      case "refuse":
        break;
    }
  }
  yield { type: "end", inputTokens, text, thinking };
}

/** Text in the pieces that a tokenizer might give: words with the space before them, long ones in two. */
export function pieces(text: string): string[] {
  return text.match(/\s*\S{1,9}|\s+/g) ?? [];
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.reject(signal.reason);
  if (ms <= 0) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });
}

import type { AnswerContent } from "../bodies";
import { cut, textPieces, toolArguments } from "../pieces";
import { frame, padding } from "./framing";

const chunk = {
  id: "chatcmpl-CoDWyp2E1BNuDrOa4ZTIteBKS3LkS",
  object: "chat.completion.chunk",
  created: 1766084448,
  model: "gpt-4o-2024-08-06",
  service_tier: "default",
  system_fingerprint: "fp_deacdd5f6f",
};

function delta(delta: object, piece: string, finishReason: string | null = null): object {
  return {
    ...chunk,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    usage: null,
    obfuscation: padding(piece),
  };
}

export function completionsBody(content: AnswerContent): string {
  const events: object[] = [delta({ role: "assistant", content: "", refusal: null }, "")];
  if (content.kind === "text") {
    for (const piece of textPieces(content.deltas)) events.push(delta({ content: piece }, piece));
    events.push(delta({}, "", "stop"));
  } else {
    const head = { index: 0, id: "call_cCPjAyfwTzboEKjVlqFrArNF", type: "function" };
    events.push(
      delta({ tool_calls: [{ ...head, function: { name: "write_file", arguments: "" } }] }, ""),
    );
    for (const piece of cut(JSON.stringify(toolArguments(content.kilobytes)))) {
      events.push(delta({ tool_calls: [{ index: 0, function: { arguments: piece } }] }, piece));
    }
    events.push(delta({}, "", "tool_calls"));
  }
  events.push({
    ...chunk,
    choices: [],
    usage: {
      prompt_tokens: 1087,
      completion_tokens: 20_000,
      total_tokens: 21_087,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
    },
    obfuscation: "",
  });
  return `${frame(events)}data: [DONE]\n\n`;
}

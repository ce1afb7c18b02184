import type { AnswerContent } from "../bodies";
import { cut, textPieces, toolArguments } from "../pieces";
import { frame } from "./framing";

const name = "write_file";

function chunk(part: object, candidateTokens: number, finishReason?: string): object {
  return {
    candidates: [
      {
        content: { parts: [part], role: "model" },
        ...(finishReason && { finishReason }),
        index: 0,
      },
    ],
    usageMetadata: {
      promptTokenCount: 1087,
      candidatesTokenCount: candidateTokens,
      totalTokenCount: 1087 + candidateTokens,
      promptTokensDetails: [{ modality: "TEXT", tokenCount: 1087 }],
    },
    modelVersion: "gemini-2.5-flash",
    responseId: "_vr4aYiWEJnYodAPkujX0QM",
  };
}

export function googleBody(content: AnswerContent): string {
  const parts =
    content.kind === "text"
      ? textPieces(content.deltas).map((text) => ({ text }))
      : [{ functionCall: { name, willContinue: true } }, ...callParts(content.kilobytes)];
  const last = content.kind === "text" ? { text: "" } : { functionCall: {} };
  return frame([...parts.map((part, index) => chunk(part, index)), chunk(last, 20_000, "STOP")], {
    newline: "\r\n",
  });
}

/** Gemini streams arguments as pairs of a JSON path and a piece of the value there. */
function callParts(kilobytes: number): object[] {
  const { path, content, edits } = toolArguments(kilobytes);
  const pieces = [
    ...stringPieces("$.path", path),
    ...stringPieces("$.content", content),
    ...edits.flatMap(({ line, text }, index) => [
      { jsonPath: `$.edits[${index}].line`, numberValue: line },
      ...stringPieces(`$.edits[${index}].text`, text),
    ]),
  ];
  return pieces.map((piece) => ({ functionCall: { partialArgs: [piece], willContinue: true } }));
}

function stringPieces(jsonPath: string, value: string): object[] {
  const pieces = cut(value);
  return pieces.map((stringValue, index) => ({
    jsonPath,
    stringValue,
    ...(index < pieces.length - 1 && { willContinue: true }),
  }));
}

import type { AnswerContent } from "./bodies";

export interface Case {
  title: string;
  content: AnswerContent;
  /** How many requests in a row are one run. */
  requests: number;
}

export const cases = {
  text: { title: "20,000 text deltas", content: { kind: "text", deltas: 20_000 }, requests: 1 },
  arguments25: argumentsCase(25, 4),
  arguments50: argumentsCase(50, 2),
  arguments100: argumentsCase(100, 1),
  arguments200: argumentsCase(200, 1),
  short: {
    title: "short request, 10 deltas",
    content: { kind: "text", deltas: 10 },
    requests: 250,
  },
} satisfies Record<string, Case>;

export type CaseName = keyof typeof cases;

function argumentsCase(kilobytes: number, requests: number): Case {
  return {
    title: `${kilobytes} KB of arguments`,
    content: { kind: "arguments", kilobytes },
    requests,
  };
}

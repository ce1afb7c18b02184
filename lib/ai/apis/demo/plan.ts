import { longAnswer, sampleAnswer, unknownAnswer, welcome, withKeyHint } from "./answers.ts";
import { expressionIn } from "./arithmetic.ts";
import { timeZonesIn } from "./places.ts";

/** What the demo is asked: its request body. */
export interface DemoRequest {
  question: string;
  images: number;
  /** Names of the tools that may be called. */
  tools: string[];
  /** Results that came in after the question. */
  results: {
    tool: string;
    /** What the call was about: its expression or time zone. */
    about?: string;
    text: string;
    isError: boolean;
  }[];
  /** Nothing was answered in this conversation yet. */
  firstAnswer: boolean;
  thinking: boolean;
  inputTokens: number;
}

export type DemoStep =
  | { type: "think"; text: string }
  | { type: "say"; text: string }
  | { type: "call"; name: string; arguments: Record<string, unknown> }
  | { type: "pause"; ms: number }
  /** An error in the middle of the stream. */
  | { type: "break"; message: string }
  /** The stream ends without its last event. */
  | { type: "cut" }
  /** The request itself is refused. */
  | { type: "refuse"; status: number; message: string; retryAfterMs?: number };

type Call = Extract<DemoStep, { type: "call" }>;

/** The answer to a request, by rules. */
export function planAnswer(request: DemoRequest): DemoStep[] {
  if (request.results.length > 0) return answerFromResults(request);
  return failure(request.question) ?? toolCalls(request) ?? plainAnswer(request);
}

function think(request: DemoRequest, text: string): DemoStep[] {
  return request.thinking ? [{ type: "think", text }] : [];
}

function answerFromResults(request: DemoRequest): DemoStep[] {
  const lines = request.results.map(({ about, text, isError }) => {
    const said = text.trim().replace(/\s*\n+\s*/g, " · ");
    const told = isError ? `the tool could not do it: ${said}` : said;
    return about ? `**${about.replaceAll("*", "×")}** → ${told}` : told;
  });
  const answer =
    lines.length === 1
      ? `Here is what the tool found:\n\n> ${lines[0]}`
      : `Here is what the ${lines.length} tools found:\n\n${lines.map((line) => `- ${line}`).join("\n")}`;
  return [
    ...think(
      request,
      lines.length === 1
        ? "The result is here, so I can answer with it."
        : "All results are here, so I can put them together.",
    ),
    { type: "say", text: withKeyHint(answer, request.firstAnswer) },
  ];
}

function failure(question: string): DemoStep[] | undefined {
  if (!/\b(fail|error|crash|break)\b/i.test(question)) return undefined;
  if (/\b429\b|rate.?limit/i.test(question)) {
    return [
      {
        type: "refuse",
        status: 429,
        retryAfterMs: 2000,
        message: "The demo pretends that you sent too many requests. Try again in 2 seconds.",
      },
    ];
  }
  if (/\b401\b|wrong key|auth/i.test(question)) {
    return [
      {
        type: "refuse",
        status: 401,
        message: "The demo pretends that the API key is not valid.",
      },
    ];
  }
  const start: DemoStep = {
    type: "say",
    text: "You asked me to fail, so I begin an answer here and then my stream ",
  };
  if (/\bcut\b|half/i.test(question)) return [start, { type: "cut" }];
  return [start, { type: "break", message: "The demo failed because you asked it to." }];
}

function toolCalls(request: DemoRequest): DemoStep[] | undefined {
  const calls: Call[] = [];
  const expression = expressionIn(request.question);
  if (expression) calls.push({ type: "call", name: "calculate", arguments: { expression } });
  if (/\b(time|clock|date|day|today|now)\b/i.test(request.question)) {
    const zones = timeZonesIn(request.question);
    if (
      zones.length === 0 &&
      /what('s| is)? (the )?(current )?(time|date|day)/i.test(request.question)
    ) {
      zones.push("UTC");
    }
    for (const timeZone of zones) {
      calls.push({ type: "call", name: "get_current_time", arguments: { timeZone } });
    }
  }
  if (calls.length === 0) return undefined;
  const off = calls.find((call) => !request.tools.includes(call.name));
  if (off) {
    return [
      ...think(request, `This needs the tool ${off.name}, and it is not on.`),
      {
        type: "say",
        text: withKeyHint(
          `I would need the tool \`${off.name}\` for this, but it is switched off. Turn it on under **Tools** and ask again.`,
          request.firstAnswer,
        ),
      },
    ];
  }
  return [
    ...think(
      request,
      calls.length === 1
        ? `I should not guess this. The tool ${calls[0]?.name} knows it exactly.`
        : `These are ${calls.length} questions that do not depend on each other, so I call the tools at once.`,
    ),
    {
      type: "say",
      text: calls.length === 1 ? "Let me look that up." : "Let me look these up together.",
    },
    ...calls,
  ];
}

function plainAnswer(request: DemoRequest): DemoStep[] {
  const { question } = request;
  const slow = /\bslow(ly)?\b/i.test(question);
  const wait: DemoStep[] = slow ? [{ type: "pause", ms: 4000 }] : [];
  let text: string;
  if (request.images > 0) {
    text = `You attached ${request.images === 1 ? "an image" : `${request.images} images`}. I am a demonstration that follows rules, so I cannot see; a real model with image input can.`;
  } else if (/\blong\b/i.test(question)) {
    text = longAnswer();
  } else if (/\b(markdown|code|table|formula|math|sample|example|show|demo)\b/i.test(question)) {
    text = sampleAnswer();
  } else if (
    /^\s*(hi|hello|hey|hallo|good (morning|evening)|你好|who are you|help|what can you do)/i.test(
      question,
    )
  ) {
    text = welcome();
  } else {
    text = unknownAnswer(question);
  }
  return [
    ...wait,
    ...think(
      request,
      slow
        ? "I was asked to be slow, so I take my time before I write, and then write on."
        : "No rule of mine calls for a tool here, so I answer with text. I should say plainly that I am a demonstration.",
    ),
    ...(slow
      ? slowly(withKeyHint(text, request.firstAnswer))
      : [{ type: "say" as const, text: withKeyHint(text, request.firstAnswer) }]),
  ];
}

function slowly(text: string): DemoStep[] {
  // One text block still: a pause between two pieces does not end it.
  return text.split(/(?<=\n)/).flatMap((line): DemoStep[] => [
    { type: "say", text: line },
    { type: "pause", ms: 600 },
  ]);
}

import type { AdapterRooms, Decoder } from "../../adapter.ts";
import { ProviderError } from "../../errors.ts";
import type { MessageBuilder } from "../../message-builder.ts";
import { estimateInputTokens, estimateTextTokens } from "../../token-limits.ts";
import { contentText, getCurrentTools } from "../../transcript.ts";
import { transformMessages } from "../../transform-messages.ts";
import type {
  Message,
  Model,
  SimpleStreamOptions,
  ToolResultMessage,
  TranscriptContext,
  Usage,
} from "../../types.ts";
import { makeUsage } from "../../usage.ts";
import { type DemoEvent, pacedEvents } from "./pace.ts";
import { type DemoRequest, planAnswer } from "./plan.ts";

export const rooms: AdapterRooms<SimpleStreamOptions> = {
  buildRequest: (model, context, options): DemoRequest => buildRequest(model, context, options),

  async send(request, model, options, attempt): Promise<Response> {
    const demoRequest = request as DemoRequest;
    const steps = planAnswer(demoRequest);
    const refusal = steps.find((step) => step.type === "refuse");
    if (refusal?.type === "refuse") {
      throw new ProviderError(refusal.message, {
        status: refusal.status,
        retryAfterMs: refusal.retryAfterMs,
      });
    }
    const speed = (Number(options.env?.RILL_DEMO_SPEED) || 1) * (model.id === "demo-quick" ? 4 : 1);
    const slow = model.id === "demo-slow" ? 6 : 1;
    return new Response(
      eventBody(pacedEvents(steps, demoRequest.inputTokens, slow / speed, attempt.signal)),
      { headers: { "content-type": "text/event-stream" } },
    );
  },

  createDecoder: (builder, model) => new DemoDecoder(builder, model),
};

function buildRequest(
  model: Model,
  context: TranscriptContext,
  options: SimpleStreamOptions,
): DemoRequest {
  const messages = transformMessages(context.messages, model);
  const lastUser = messages.findLastIndex((message) => message.role === "user");
  const question = messages[lastUser];
  const blocks = question?.role === "user" ? question.content : "";
  const earlier = messages.slice(0, Math.max(0, lastUser));
  return {
    question:
      typeof blocks === "string"
        ? blocks
        : contentText(blocks.filter((block) => block.type === "text")),
    images:
      typeof blocks === "string" ? 0 : blocks.filter((block) => block.type === "image").length,
    tools: getCurrentTools(context.messages).map((tool) => tool.name),
    results: resultsAfter(messages.slice(lastUser + 1)),
    firstAnswer: !earlier.some((message) => message.role === "assistant"),
    thinking: model.reasoning && options.reasoning !== undefined,
    inputTokens: estimateInputTokens(messages),
  };
}

function resultsAfter(messages: Message[]): DemoRequest["results"] {
  const calls = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.content.filter((block) => block.type === "toolCall")
      : [],
  );
  return messages
    .filter((message): message is ToolResultMessage => message.role === "toolResult")
    .map((result) => {
      const call = calls.find(({ id }) => id === result.toolCallId);
      const about = call?.arguments.expression ?? call?.arguments.timeZone;
      return {
        tool: result.toolName,
        ...(typeof about === "string" && { about }),
        text: contentText(result.content.filter((block) => block.type === "text")),
        isError: result.isError,
      };
    });
}

function eventBody(events: AsyncGenerator<DemoEvent>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await events.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(`data: ${JSON.stringify(next.value)}\n\n`));
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await events.return(undefined);
    },
  });
}

class DemoDecoder implements Decoder {
  complete = false;
  private open: { kind: "text" | "thinking" | "call"; index: number } | undefined;

  constructor(
    private readonly builder: MessageBuilder,
    private readonly model: Model,
  ) {}

  get finishable(): boolean {
    return this.complete;
  }

  event(event: unknown): void {
    const demo = event as DemoEvent;
    switch (demo.type) {
      case "thinking":
        this.builder.thinking(this.block("thinking"), demo.delta);
        break;
      case "text":
        this.builder.text(this.block("text"), demo.delta);
        break;
      case "call":
        this.close();
        this.open = {
          kind: "call",
          index: this.builder.openToolCall({ id: demo.id, name: demo.name }),
        };
        break;
      case "arguments":
        if (this.open?.kind === "call") this.builder.toolCall(this.open.index, demo.delta);
        break;
      case "error":
        throw new ProviderError(demo.message, { errorClass: "unknown" });
      case "end":
        this.builder.message.usage = this.usage(demo);
        this.complete = true;
        break;
    }
  }

  finish(): void {
    if (!this.complete) {
      throw new ProviderError("The demo's stream was cut before its end.", {
        errorClass: "ended-early",
      });
    }
    this.close();
    this.builder.message.stopReason = this.builder.hasToolCall ? "toolUse" : "stop";
  }

  private block(kind: "text" | "thinking"): number {
    if (this.open?.kind !== kind) {
      this.close();
      this.open = {
        kind,
        index: kind === "text" ? this.builder.openText() : this.builder.openThinking(),
      };
    }
    return this.open.index;
  }

  private close(): void {
    this.open = undefined;
    this.builder.closeAll();
  }

  private usage(end: Extract<DemoEvent, { type: "end" }>): Usage {
    return makeUsage(this.model, {
      input: end.inputTokens,
      output: estimateTextTokens(end.text) + estimateTextTokens(end.thinking),
      ...(end.thinking && { reasoning: estimateTextTokens(end.thinking) }),
    });
  }
}

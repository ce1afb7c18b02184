import type { Model, Usage } from "../../types.ts";
import { makeUsage, tokenCount } from "../../usage.ts";
import { isRecord } from "../../vendor-json.ts";

/**
 * Usage of one answer. Each chunk tells the whole so far, and some only a part of the figures, so the last word on each
 * figure counts. Thoughts and tool prompts are counted beside the candidates and the prompt.
 */
export class UsageCounter {
  private prompt = 0;
  private toolPrompt = 0;
  private cached = 0;
  private candidates = 0;
  private thoughts: number | undefined;

  constructor(private readonly model: Model) {}

  /** The usage so far, or undefined when the chunk tells no figure. */
  add(metadata: unknown): Usage | undefined {
    if (!isRecord(metadata)) return undefined;
    const prompt = tokenCount(metadata.promptTokenCount);
    const toolPrompt = tokenCount(metadata.toolUsePromptTokenCount);
    const cached = tokenCount(metadata.cachedContentTokenCount);
    const candidates = tokenCount(metadata.candidatesTokenCount);
    const thoughts = tokenCount(metadata.thoughtsTokenCount);
    const told = prompt ?? toolPrompt ?? cached ?? candidates ?? thoughts;
    if ((told ?? tokenCount(metadata.totalTokenCount)) === undefined) return undefined;
    this.prompt = prompt ?? this.prompt;
    this.toolPrompt = toolPrompt ?? this.toolPrompt;
    this.cached = cached ?? this.cached;
    this.candidates = candidates ?? this.candidates;
    this.thoughts = thoughts ?? this.thoughts;
    return makeUsage(this.model, {
      input: this.prompt - this.cached + this.toolPrompt,
      output: this.candidates + (this.thoughts ?? 0),
      cacheRead: this.cached,
      reasoning: this.thoughts,
    });
  }
}

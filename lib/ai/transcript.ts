/**
 * The transcript describes itself: prompt and tools at any point are what the system messages up to there add up to.
 * `Context` (what callers pass) becomes `TranscriptContext` (what adapters get) here and nowhere else.
 */

import type {
  Context,
  Message,
  SystemMessage,
  TextContent,
  Tool,
  TranscriptContext,
} from "./types.ts";

/** The leading system message for a prompt and tools, or undefined when there is neither (P-033, P-034). */
export function createInitialSystemMessage(
  systemPrompt: string | undefined,
  tools: Tool[] | undefined,
): SystemMessage | undefined {
  if (!systemPrompt && !tools?.length) return undefined;
  const message: SystemMessage = { role: "system", content: systemPrompt ?? "", timestamp: 0 };
  if (tools?.length) message.toolsAdded = tools.map(toToolDeclaration);
  return message;
}

/** Folds prompt and tools into a leading system message. The input is not changed (P-035, P-036). */
export function normalizeContext(context: Context): TranscriptContext {
  const initial = createInitialSystemMessage(context.systemPrompt, context.tools);
  const messages = context.messages ?? [];
  return transcriptOf(initial ? [initial, ...messages] : messages);
}

function transcriptOf(messages: Message[]): TranscriptContext {
  return { messages } as TranscriptContext;
}

const isSystem = (message: Message): message is SystemMessage => message.role === "system";

/** The tools in force after all messages. Inside one message removals come first (P-037 to P-039). */
export function getCurrentTools(messages: Message[]): Tool[] {
  const tools = new Map<string, Tool>();
  for (const message of messages) {
    if (!isSystem(message)) continue;
    for (const removed of message.toolsRemoved ?? []) tools.delete(removed.name);
    for (const added of message.toolsAdded ?? []) tools.set(added.name, added);
  }
  return [...tools.values()];
}

/** The text of a message's content: its text blocks, one a line. */
export function contentText(content: string | TextContent[] | null | undefined): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((block) => block.text).join("\n");
}

// A list of pairs, since an object would move integer-like names to the front (P-042).
type Sections = Map<string, string>;

function applySections(sections: Sections, changes: SystemMessage["sections"]): void {
  for (const [name, value] of Object.entries(changes ?? {})) {
    if (value === null) sections.delete(name);
    else sections.set(name, value);
  }
}

interface Replay {
  texts: string[];
  sections: Sections;
  tools: Tool[];
  timestamp: number;
}

function replay(messages: Message[]): Replay | undefined {
  const first = messages.find(isSystem);
  if (!first) return undefined;
  const texts: string[] = [];
  const sections: Sections = new Map();
  for (const message of messages) {
    if (!isSystem(message)) continue;
    const text = contentText(message.content);
    if (text) texts.push(text);
    applySections(sections, message.sections);
  }
  return { texts, sections, tools: getCurrentTools(messages), timestamp: first.timestamp };
}

/**
 * Sections as an object in their order. An object moves names like "10" to the front, so these get a blank; a section's name
 * is not part of the prompt.
 */
function sectionsObject(sections: Sections): Record<string, string> {
  return Object.fromEntries(
    [...sections].map(([name, value]) => [/^\d+$/.test(name) ? ` ${name}` : name, value]),
  );
}

/** All system messages as one (P-040 to P-044), or undefined when there is none. */
export function getCurrentSystemMessage(messages: Message[]): SystemMessage | undefined {
  const replayed = replay(messages);
  if (!replayed) return undefined;
  const message: SystemMessage = {
    role: "system",
    content: replayed.texts.join("\n\n"),
    timestamp: replayed.timestamp,
  };
  if (replayed.sections.size > 0) message.sections = sectionsObject(replayed.sections);
  if (replayed.tools.length > 0) message.toolsAdded = replayed.tools;
  return message;
}

/** The prompt text in force: content, then the sections' values, joined by blank lines (P-045). */
export function getCurrentSystemPrompt(messages: Message[]): string {
  const replayed = replay(messages);
  if (!replayed) return "";
  return [...replayed.texts, ...replayed.sections.values()].filter(Boolean).join("\n\n");
}

/** The prompt text of one leading system message. */
export function systemMessageText(message: SystemMessage): string {
  return [contentText(message.content), ...Object.values(message.sections ?? {})]
    .filter(Boolean)
    .join("\n\n");
}

/** What a later system message says when it is sent in place (P-046). */
export function laterSystemMessageText(message: SystemMessage): string {
  const parts = [contentText(message.content)];
  for (const [name, value] of Object.entries(message.sections ?? {})) {
    parts.push(
      value === null
        ? `[The section "${name}" of your instructions no longer applies.]`
        : `[The section "${name}" of your instructions now reads:]\n${value}`,
    );
  }
  return parts.filter(Boolean).join("\n\n");
}

/** One replayed system message first, if any, then everything else in order (P-047). */
export function collapseSystemMessages(context: TranscriptContext): TranscriptContext {
  const system = getCurrentSystemMessage(context.messages);
  const others = context.messages.filter((message) => !isSystem(message));
  return transcriptOf(system ? [system, ...others] : others);
}

/** The same transcript when system messages may stand anywhere, a collapsed one when not (P-048). */
export function resolveTranscript(
  context: TranscriptContext,
  supportsMidConvoSystemMessages: boolean | undefined,
): TranscriptContext {
  return supportsMidConvoSystemMessages ? context : collapseSystemMessages(context);
}

export function getInitialSystemMessage(messages: Message[]): SystemMessage | undefined {
  const first = messages[0];
  return first && isSystem(first) ? first : undefined;
}

export function withoutInitialSystemMessage(messages: Message[]): Message[] {
  return getInitialSystemMessage(messages) ? messages.slice(1) : messages;
}

/** Only what a model is told of a tool (P-050). */
export function toToolDeclaration(tool: Tool): Tool {
  const declaration: Tool = {
    name: tool.name,
    description: tool.description,
    parameters: JSON.parse(JSON.stringify(tool.parameters)) as Tool["parameters"],
  };
  if (tool.constrainedSampling !== undefined) {
    declaration.constrainedSampling = tool.constrainedSampling;
  }
  return declaration;
}

/** Whether two tools say the same to a model; the order of keys does not matter (W-37). */
export function toolDeclarationsEqual(a: Tool, b: Tool): boolean {
  return canonicalJson(toToolDeclaration(a)) === canonicalJson(toToolDeclaration(b));
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner && typeof inner === "object" && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

/** What a system message must say to get from one tool list to another (P-052). */
export function getToolStateChanges(
  previous: Tool[],
  next: Tool[],
): { toolsAdded: Tool[]; toolsRemoved: { name: string }[] } {
  const nextByName = new Map(next.map((tool) => [tool.name, tool]));
  const previousByName = new Map(previous.map((tool) => [tool.name, tool]));
  const stays = (tool: Tool, other: Tool | undefined): boolean =>
    other !== undefined && toolDeclarationsEqual(tool, other);
  return {
    toolsRemoved: previous
      .filter((tool) => !stays(tool, nextByName.get(tool.name)))
      .map((tool) => ({ name: tool.name })),
    toolsAdded: next
      .filter((tool) => !stays(tool, previousByName.get(tool.name)))
      .map(toToolDeclaration),
  };
}

/** How much of a changing tool list a vendor can be told in the middle of a conversation. */
export type ToolChangeSupport = "none" | "additions" | "changes";

/** The tools of the request itself, and whether later system messages keep theirs in place (P-053, P-054). */
export function resolveTranscriptTools(messages: Message[], support: ToolChangeSupport): Tool[] {
  if (support === "none") return getCurrentTools(messages);
  if (support === "changes") return [];
  const declared = new Set<string>();
  let boundary = 0;
  messages.forEach((message, index) => {
    if (!isSystem(message)) return;
    const redeclares = message.toolsAdded?.some((tool) => declared.has(tool.name)) ?? false;
    if ((message.toolsRemoved?.length ?? 0) > 0 || redeclares) boundary = index;
    for (const tool of message.toolsAdded ?? []) declared.add(tool.name);
  });
  return getCurrentTools(messages.slice(0, boundary + 1));
}

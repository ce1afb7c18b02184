import type { MessageBuilder } from "../../message-builder.ts";
import { parseArguments } from "../../streamed-json.ts";
import type { ToolNames } from "../../tool-names.ts";
import { dropAddedNulls } from "../../tool-schema.ts";
import { isRecord, type Loose } from "../../vendor-json.ts";
import type { ToolTable } from "./tools.ts";

interface Call {
  /** As the host numbers its calls, if it does. */
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  /** Index of the block; undefined until the name is known. */
  contentIndex: number | undefined;
  /** Argument text that came before the name. */
  waiting: string;
  /** Free-form input of a grammar tool, which becomes this property. */
  property: string | undefined;
  extra: Loose | undefined;
}

/** What one entry of `tool_calls` says. */
interface Fragment {
  index: number | undefined;
  id: string | undefined;
  name: string | undefined;
  delta: string;
}

/**
 * Puts the fragments of tool calls together: by index where there is one, else by id, else to the call before. Hosts repeat
 * ids, leave them out, use one index twice, or begin with arguments.
 */
export class ToolCallFragments {
  private readonly calls: Call[] = [];
  private readonly usedIds = new Set<string>();

  constructor(
    private readonly builder: MessageBuilder,
    private readonly names: ToolNames,
    private readonly tools: ToolTable,
    private readonly makeId: (ordinal: number) => string,
    private readonly beforeOpen: () => void,
  ) {}

  get count(): number {
    return this.calls.filter((call) => call.contentIndex !== undefined).length;
  }

  /** Calls that never got a name: they can be neither run nor replayed. */
  get nameless(): number {
    return this.calls.length - this.count;
  }

  add(fragment: Loose): void {
    const custom = isRecord(fragment.custom) ? fragment.custom : undefined;
    const body = custom ?? (isRecord(fragment.function) ? fragment.function : {});
    const index = typeof fragment.index === "number" ? fragment.index : undefined;
    const id = typeof fragment.id === "string" && fragment.id !== "" ? fragment.id : undefined;
    const name = typeof body.name === "string" && body.name !== "" ? body.name : undefined;
    const given = custom ? body.input : body.arguments;
    const delta = typeof given === "string" ? given : given ? JSON.stringify(given) : "";
    const call = this.find({ index, id, name, delta }) ?? this.begin(index);
    call.id ??= id;
    call.name ??= name;
    if (isRecord(fragment.extra_content)) call.extra = fragment.extra_content;
    if (call.contentIndex === undefined && call.name !== undefined) this.open(call, call.name);
    this.append(call, delta);
  }

  /**
   * Ends all calls, in order, with their exact arguments.
   * @param cutOff whether the answer ended in the middle, so that the last call is not whole
   */
  finish(cutOff: boolean): void {
    for (const call of this.calls) {
      if (call.contentIndex === undefined) continue;
      if (call.property !== undefined && !(cutOff && call === this.calls.at(-1))) {
        this.builder.toolCall(call.contentIndex, '"}');
      }
      const block = this.builder.toolCallAt(call.contentIndex);
      if (call.extra) block.thoughtSignature = JSON.stringify(call.extra);
      this.builder.closeToolCall(call.contentIndex, this.withoutAddedNulls(call.contentIndex));
    }
  }

  private find(fragment: Fragment): Call | undefined {
    const { index, id, name } = fragment;
    if (index !== undefined) {
      const sameIndex = this.calls.findLast((call) => call.index === index);
      if (sameIndex) return this.isAnother(sameIndex, fragment) ? undefined : sameIndex;
      return name === undefined && id !== undefined ? this.withId(id) : undefined;
    }
    const last = this.calls.at(-1);
    if (id === undefined) return last && !this.isAnother(last, fragment) ? last : undefined;
    const sameId = this.withId(id);
    if (sameId) return name !== undefined && sameId.name !== name ? undefined : sameId;
    return last && last.id === undefined && last.name === undefined ? last : undefined;
  }

  private withId(id: string): Call | undefined {
    return this.calls.findLast((call) => call.id === id);
  }

  /** Whether a fragment that looks as if it went on with a call begins another one. */
  private isAnother(call: Call, { id, name, delta }: Fragment): boolean {
    // Some hosts make up a new id for each fragment, so an id alone says nothing.
    if (name === undefined || call.name === undefined) return false;
    if (id !== undefined) return call.id !== undefined && id !== call.id;
    return name !== call.name || (delta.trimStart().startsWith("{") && this.isWhole(call));
  }

  private isWhole(call: Call): boolean {
    if (call.contentIndex === undefined) return false;
    const text = this.builder.argumentText(call.contentIndex);
    return text.endsWith("}") && parseArguments(text).argumentsError === undefined;
  }

  private begin(index: number | undefined): Call {
    const call: Call = {
      index,
      id: undefined,
      name: undefined,
      contentIndex: undefined,
      waiting: "",
      property: undefined,
      extra: undefined,
    };
    this.calls.push(call);
    return call;
  }

  private open(call: Call, vendorName: string): void {
    this.beforeOpen();
    const name = this.names.fromVendor(vendorName);
    const id =
      call.id !== undefined && !this.usedIds.has(call.id)
        ? call.id
        : this.makeId(this.calls.indexOf(call));
    this.usedIds.add(id);
    call.contentIndex = this.builder.openToolCall({ id, name });
    call.property = this.tools.grammarOf(name)?.property;
    if (call.property !== undefined) {
      this.builder.toolCall(call.contentIndex, `{${JSON.stringify(call.property)}:"`);
    }
    const { waiting } = call;
    call.waiting = "";
    this.append(call, waiting);
  }

  private append(call: Call, delta: string): void {
    if (delta === "") return;
    if (call.contentIndex === undefined) call.waiting += delta;
    else if (call.property === undefined) this.builder.toolCall(call.contentIndex, delta);
    else this.builder.toolCall(call.contentIndex, JSON.stringify(delta).slice(1, -1));
  }

  /** The arguments in place of the streamed text, where strict mode put nulls for what was left out. */
  private withoutAddedNulls(contentIndex: number): string | undefined {
    const schema = this.tools.looseSchemaOf(this.builder.toolCallAt(contentIndex).name);
    if (!schema) return undefined;
    const parsed = parseArguments(this.builder.argumentText(contentIndex));
    if (parsed.argumentsError !== undefined) return undefined;
    return JSON.stringify(dropAddedNulls(parsed.arguments, schema));
  }
}

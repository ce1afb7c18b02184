import type { AgentMessage } from "@/lib/agent/types";
import type { RunMessage, RunState } from "@/lib/run/fold";
import type { Checkpoint } from "./db/checkpoint";
import type { EntryRow } from "./db/rows";

/**
 * The rows of a run's messages, and what of them is not stored yet. A row keeps its identity as long as its message
 * does.
 */
export class RunRows {
  readonly #conversationId: string;
  readonly #runId: string;
  readonly #base: EntryRow | undefined;
  readonly #rows = new Map<string, { source: RunMessage; row: EntryRow }>();
  /** The messages as they were last stored, by id. */
  readonly #stored = new Map<string, RunMessage>();
  #storedLive: Omit<RunState, "messages"> | undefined;
  #entries: EntryRow[] = [];

  constructor(conversationId: string, runId: string, base: EntryRow | undefined) {
    this.#conversationId = conversationId;
    this.#runId = runId;
    this.#base = base;
  }

  /** Takes a state as it was read from storage, with its rows. */
  restore(state: RunState, rows: EntryRow[]): void {
    const byId = new Map(rows.map((row) => [row.id, row]));
    this.#rows.clear();
    this.#stored.clear();
    for (const message of state.messages) {
      const row = byId.get(message.id);
      if (row) this.#rows.set(message.id, { source: message, row });
      this.#stored.set(message.id, message);
    }
    this.#storedLive = liveOf(state);
  }

  /** The finished messages as rows, in order. The same array as before when nothing has changed. */
  entries(state: RunState): EntryRow[] {
    const entries = this.#all(state).filter((row) => !row.partial);
    const changed =
      entries.length !== this.#entries.length ||
      entries.some((row, index) => row !== this.#entries[index]);
    if (changed) this.#entries = entries;
    return this.#entries;
  }

  /** What has to be written so that storage holds `state`; undefined when it does. */
  unsaved(state: RunState): Omit<Checkpoint, "now" | "end"> | undefined {
    const rows = this.#all(state);
    const changed = rows.filter(
      (row) => this.#stored.get(row.id) !== this.#rows.get(row.id)?.source,
    );
    const live = liveOf(state);
    const liveChanged = !sameFields(live, this.#storedLive);
    if (changed.length === 0 && !liveChanged && live.lastSeq === this.#storedLive?.lastSeq) {
      return undefined;
    }
    const leaf = rows.findLast((row) => !row.partial);
    return {
      conversationId: this.#conversationId,
      runId: this.#runId,
      afterSeq: state.lastSeq,
      finished: changed.filter((row) => !row.partial),
      partial: changed.filter((row) => row.partial && row.message.role === "assistant"),
      path: [...(this.#base ? [this.#base.id] : []), ...rows.map((row) => row.id)],
      ...(leaf && { leafId: leaf.id }),
      ...(liveChanged && { live }),
    };
  }

  /** Notes that `state` has been stored. */
  saved(state: RunState): void {
    for (const message of state.messages) this.#stored.set(message.id, message);
    this.#storedLive = liveOf(state);
  }

  #all(state: RunState): EntryRow[] {
    const rows: EntryRow[] = [];
    let parentId = this.#base?.id ?? null;
    for (const source of state.messages) {
      if (this.#isEcho(source.message)) continue;
      rows.push(this.#row(source, parentId, (this.#base?.seq ?? -1) + 1 + rows.length));
      parentId = source.id;
    }
    return rows;
  }

  #row(source: RunMessage, parentId: string | null, seq: number): EntryRow {
    const known = this.#rows.get(source.id);
    if (known?.source === source) return known.row;
    const { id, message, complete, ...live } = source;
    const row: EntryRow = {
      id,
      conversationId: this.#conversationId,
      parentId: known?.row.parentId ?? parentId,
      seq: known?.row.seq ?? seq,
      kind: "message",
      message,
      runId: this.#runId,
      createdAt: known?.row.createdAt ?? message.timestamp,
      ...(!complete && { partial: true as const, live }),
    };
    this.#rows.set(id, { source, row });
    return row;
  }

  /** The message that the run answers is stored already; a log may tell it again under a number of its own. */
  #isEcho(message: AgentMessage): boolean {
    const base = this.#base?.message;
    return (
      message.role === "user" &&
      base?.role === "user" &&
      message.timestamp === base.timestamp &&
      JSON.stringify(message.content) === JSON.stringify(base.content)
    );
  }
}

function liveOf(state: RunState): Omit<RunState, "messages"> {
  const { messages: _messages, ...live } = state;
  return live;
}

function sameFields(
  left: Omit<RunState, "messages">,
  right: Omit<RunState, "messages"> | undefined,
): boolean {
  if (!right) return false;
  const { lastSeq: _left, ...leftRest } = left;
  const { lastSeq: _right, ...rightRest } = right;
  const names = new Set([...Object.keys(leftRest), ...Object.keys(rightRest)]) as Set<
    keyof typeof leftRest
  >;
  return [...names].every((name) => leftRest[name] === rightRest[name]);
}

import * as z from "zod/mini";

/** What the tabs of this browser tell each other. The news is small: who cares reads the rows again. */
export type Change =
  /** A conversation was made, changed, or got a finished message. */
  | { kind: "conversation"; id: string }
  /** What waits to be sent has changed. */
  | { kind: "queue"; id: string }
  /** More of a run's answer was written down. */
  | { kind: "progress"; id: string }
  | { kind: "removed"; id: string }
  | { kind: "settings" };

export type ChangeListener = (change: Change, from: "here" | "elsewhere") => void;

const CHANNEL_NAME = "rill";
const changeSchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.enum(["conversation", "queue", "progress", "removed"]), id: z.string() }),
  z.object({ kind: z.literal("settings") }),
]);

const listeners = new Set<ChangeListener>();
let channel: BroadcastChannel | undefined;

function connect(): BroadcastChannel | undefined {
  if (channel || typeof BroadcastChannel === "undefined") return channel;
  channel = new BroadcastChannel(CHANNEL_NAME);
  channel.onmessage = (event: MessageEvent<unknown>) => {
    const parsed = z.safeParse(changeSchema, event.data);
    // A tab with another version may say things that this one does not know.
    if (parsed.success) tell(parsed.data as Change, "elsewhere");
  };
  return channel;
}

function tell(change: Change, from: "here" | "elsewhere"): void {
  for (const listener of listeners) listener(change, from);
}

/** Tells this tab and the others what has been stored. Call it after the transaction is complete. */
export function announceChange(change: Change): void {
  connect()?.postMessage(change);
  tell(change, "here");
}

/** Hears of changes in this tab and in others; returns how to stop. */
export function onChange(listener: ChangeListener): () => void {
  connect();
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Closes the channel to the other tabs; the next use opens it again. */
export function closeChanges(): void {
  channel?.close();
  channel = undefined;
}

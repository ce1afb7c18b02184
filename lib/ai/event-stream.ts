import type { AssistantMessage, AssistantMessageEvent } from "./types.ts";

/** Where the events of a stream go that is poured out. */
interface EventTaker<T> {
  take: (event: T) => void;
  end: () => void;
}

export interface EventIterator<T> extends AsyncIterator<T> {
  /**
   * Instead of `next`: hands over every event, those to come as they are pushed, without a promise for each. Settles at the
   * stream's end. `take` must not throw.
   */
  pour?(take: (event: T) => void): Promise<void>;
}

/**
 * A queue of events from one producer to one consumer, with a final result.
 *
 * - `push` never waits; the queue is unbounded. What is pushed after the end is ignored.
 * - Iteration belongs to one consumer: a second iterator gets an error instead of half of the events (P-411).
 * - `result()` always settles once the stream has ended, and never rejects.
 * - Leaving the iteration early does not stop the producer; its abort signal does.
 */
export class EventStream<T, R = T> implements AsyncIterable<T> {
  private queue: T[] = [];
  private head = 0;
  private waiter: ((next: IteratorResult<T>) => void) | undefined;
  private taker: EventTaker<T> | undefined;
  private ended = false;
  private settled = false;
  private iterated = false;
  private settle!: (result: R) => void;
  private readonly final: Promise<R>;

  /**
   * @param isComplete whether an event ends the stream
   * @param extractResult the result that such an event carries
   * @param missingResult the result of a stream that ends without one
   */
  constructor(
    private readonly isComplete: (event: T) => boolean,
    private readonly extractResult: (event: T) => R,
    private readonly missingResult?: () => R,
  ) {
    this.final = new Promise((resolve) => {
      this.settle = resolve;
    });
  }

  /** Whether the terminal event was seen or `end` was called. */
  get done(): boolean {
    return this.ended;
  }

  push(event: T): void {
    if (this.ended) return;
    if (this.isComplete(event)) {
      this.ended = true;
      this.resolveOnce(this.extractResult(event));
    }
    this.deliver(event);
  }

  protected deliver(event: T): void {
    if (this.taker) {
      this.taker.take(event);
    } else if (this.waiter) {
      const waiter = this.waiter;
      this.waiter = undefined;
      waiter({ value: event, done: false });
    } else {
      this.queue.push(event);
    }
  }

  /** Marks the end. Queued events can still be read. The first result wins. */
  end(result?: R): void {
    this.ended = true;
    if (result !== undefined) this.resolveOnce(result);
    else if (!this.settled && this.missingResult) this.resolveOnce(this.missingResult());
    this.taker?.end();
    if (this.waiter) {
      const waiter = this.waiter;
      this.waiter = undefined;
      waiter({ value: undefined, done: true });
    }
  }

  result(): Promise<R> {
    return this.final;
  }

  [Symbol.asyncIterator](): EventIterator<T> {
    if (this.iterated) {
      throw new Error("An event stream has one consumer, and this one is being read already.");
    }
    this.iterated = true;
    return { next: () => this.next(), pour: (take) => this.pour(take) };
  }

  private pour(take: (event: T) => void): Promise<void> {
    const { queue, head } = this;
    this.queue = [];
    this.head = 0;
    for (let index = head; index < queue.length; index++) take(queue[index] as T);
    if (this.ended) return Promise.resolve();
    return new Promise((resolve) => {
      this.taker = { take, end: resolve };
    });
  }

  private next(): Promise<IteratorResult<T>> {
    if (this.head < this.queue.length) {
      const event = this.queue[this.head] as T;
      this.queue[this.head++] = undefined as T;
      if (this.head === this.queue.length) {
        this.queue = [];
        this.head = 0;
      }
      return Promise.resolve({ value: event, done: false });
    }
    if (this.ended) return Promise.resolve({ value: undefined, done: true });
    return new Promise((resolve) => {
      this.waiter = resolve;
    });
  }

  private resolveOnce(result: R): void {
    if (this.settled) return;
    this.settled = true;
    this.settle(result);
  }
}

const monotonic = (): number => performance.now();

/** The events of one response. Completes on `done` and `error`; writes `durationMs` on the final message (P-074 to P-077). */
export class AssistantMessageEventStream extends EventStream<
  AssistantMessageEvent,
  AssistantMessage
> {
  private readonly createdAt = Date.now();
  private readonly createdMonotonic = monotonic();

  /** @param missingResult the message of a stream that ends without a terminal event and without a message */
  constructor(missingResult: () => AssistantMessage = endedWithoutResult) {
    super(
      (event) => event.type === "done" || event.type === "error",
      (event) => {
        if (event.type === "done") return event.message;
        if (event.type === "error") return event.error;
        throw new Error(`${event.type} does not end a stream`);
      },
      missingResult,
    );
  }

  override push(event: AssistantMessageEvent): void {
    if (this.done) return;
    if (event.type === "done") this.time(event.message);
    else if (event.type === "error") this.time(event.error);
    else {
      this.deliver(event);
      return;
    }
    super.push(event);
  }

  override end(message?: AssistantMessage): void {
    if (message && !this.done) this.time(message);
    super.end(message);
  }

  /** Ends with an `error` that is not timed: nothing was sent, so there is no duration to tell (P-078). */
  fail(message: AssistantMessage): void {
    const reason = message.stopReason === "aborted" ? "aborted" : "error";
    super.push({ type: "error", reason, error: message });
    super.end();
  }

  private time(message: AssistantMessage): void {
    // A response that began before this stream was made elsewhere, so this stream cannot know how long it took.
    if (message.durationMs !== undefined || message.timestamp < this.createdAt) return;
    message.durationMs = Math.max(0, Math.round(monotonic() - this.createdMonotonic));
  }
}

function endedWithoutResult(): AssistantMessage {
  return {
    role: "assistant",
    content: [],
    api: "unknown",
    provider: "unknown",
    model: "unknown",
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
      unreported: true,
    },
    stopReason: "error",
    errorMessage: "The stream ended without a result.",
    timestamp: Date.now(),
  };
}

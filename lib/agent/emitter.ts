import type { AgentEvent, AgentEventSink } from "./types.ts";

/**
 * Delivers the events of one run, one after another: the next waits until the sink has taken the one before (L-011),
 * also when several tools report at once. A sink that throws loses that event and nothing else (L-122, L-123).
 */
export class Emitter {
  private tail: Promise<void> = Promise.resolve();

  constructor(private readonly sink: AgentEventSink) {}

  /** Settles when the sink has taken the event. Never rejects. */
  emit(event: AgentEvent): Promise<void> {
    this.tail = this.tail.then(() => this.sink(event)).then(undefined, ignore);
    return this.tail;
  }
}

const ignore = (): void => {};

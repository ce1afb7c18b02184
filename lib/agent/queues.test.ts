import { describe, expect, it } from "vitest";
import { MessageQueue } from "./queues.ts";
import { textOf, user } from "./testing/harness.ts";

describe("MessageQueue", () => {
  it("L-090: gives one message at a time, or all", () => {
    const queue = new MessageQueue();
    for (const text of ["a", "b", "c"]) queue.enqueue(user(text));
    expect(queue.drain().map(textOf)).toEqual(["a"]);
    queue.mode = "all";
    expect(queue.drain().map(textOf)).toEqual(["b", "c"]);
    expect(queue.drain()).toEqual([]);
  });

  it("L-091: peek shows what the next drain gives and leaves it", () => {
    const queue = new MessageQueue("all");
    for (const text of ["a", "b"]) queue.enqueue(user(text));
    expect(queue.peek().map(textOf)).toEqual(["a", "b"]);
    queue.mode = "one-at-a-time";
    expect(queue.peek().map(textOf)).toEqual(["a"]);
    expect(queue.size).toBe(2);
    expect(queue.all().map(textOf)).toEqual(["a", "b"]);
  });

  it("L-092: clear leaves nothing", () => {
    const queue = new MessageQueue();
    queue.enqueue(user("a"));
    queue.clear();
    expect([queue.size, queue.drain()]).toEqual([0, []]);
  });
});

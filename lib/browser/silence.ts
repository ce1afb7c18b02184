/**
 * The same bytes; the stream fails when none has come for `silenceMs`, or when `signal` is aborted. A connection that
 * died while a laptop slept or a phone changed networks is otherwise never noticed. `onFailure` is told of every failure
 * of the body, so that a reader can tell those from faults in what it read.
 */
export function endOnSilence(
  body: ReadableStream<Uint8Array>,
  silenceMs: number,
  signal: AbortSignal,
  onFailure: () => void,
): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let fail = (_reason: unknown): void => {};
  const stop = (): void => {
    clearTimeout(timer);
    signal.removeEventListener("abort", onAbort);
  };
  const onAbort = (): void => fail(signal.reason);

  return new ReadableStream<Uint8Array>({
    start(controller) {
      fail = (reason) => {
        stop();
        onFailure();
        controller.error(reason);
        void reader.cancel(reason).catch(() => {});
      };
      if (signal.aborted) onAbort();
      else signal.addEventListener("abort", onAbort);
    },
    async pull(controller) {
      timer = setTimeout(
        () => fail(new Error("The connection to Rill's server fell silent.")),
        silenceMs,
      );
      try {
        const { done, value } = await reader.read();
        clearTimeout(timer);
        if (signal.aborted) return;
        if (done) {
          stop();
          controller.close();
        } else {
          controller.enqueue(value);
        }
      } catch (error) {
        fail(error);
      }
    },
    cancel(reason) {
      stop();
      return reader.cancel(reason);
    },
  });
}

import { highlight } from "../highlight";
import type { HighlightAnswer, HighlightRequest } from "../highlighter";

/** Does the highlighting worker's work in the test's own thread, where there are no workers of the browser's kind. */
export class WorkerInPage {
  onmessage?: (event: { data: HighlightAnswer }) => void;

  async postMessage({ id, code, language }: HighlightRequest): Promise<void> {
    const lines = await highlight(code, language).catch(() => undefined);
    this.onmessage?.({ data: { id, lines } });
  }
}

import { highlight } from "./highlight";
import type { HighlightAnswer, HighlightRequest } from "./highlighter";

/** The other side of `highlighter.ts`: colouring takes up to seconds, and the page must not wait for it. */
const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<HighlightRequest>) => void;
  postMessage: (answer: HighlightAnswer) => void;
};

scope.onmessage = ({ data: { id, code, language } }) => {
  highlight(code, language).then(
    (lines) => scope.postMessage({ id, lines }),
    () => scope.postMessage({ id }),
  );
};

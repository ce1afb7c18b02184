import type { CodeToken } from "./highlight";

export interface HighlightRequest {
  id: number;
  code: string;
  language: string;
}

export interface HighlightAnswer {
  id: number;
  /** Missing when the language is not known or its grammar could not be loaded. */
  lines?: CodeToken[][];
}

type Waiting = (lines: CodeToken[][] | undefined) => void;

let worker: Worker | undefined;
let lastId = 0;
const waiting = new Map<number, Waiting>();

/** Lines of coloured tokens, worked out beside the page; undefined when there are none to be had. Never rejects. */
export function highlightBesidePage(
  code: string,
  language: string,
): Promise<CodeToken[][] | undefined> {
  return new Promise((resolve) => {
    const target = startedWorker();
    if (!target) return resolve(undefined);
    lastId += 1;
    waiting.set(lastId, resolve);
    target.postMessage({ id: lastId, code, language } satisfies HighlightRequest);
  });
}

function startedWorker(): Worker | undefined {
  if (worker || typeof Worker === "undefined") return worker;
  worker = new Worker(new URL("./highlight-worker.ts", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }: MessageEvent<HighlightAnswer>) => {
    waiting.get(data.id)?.(data.lines);
    waiting.delete(data.id);
  };
  // It could not be loaded, or it broke: code stays plain, and the next block tries afresh.
  worker.onerror = () => {
    worker?.terminate();
    worker = undefined;
    for (const resolve of waiting.values()) resolve(undefined);
    waiting.clear();
  };
  return worker;
}

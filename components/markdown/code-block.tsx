"use client";

import { Download, WrapText } from "lucide-react";
import { memo, useEffect, useState } from "react";
import { CopyButton } from "../ui/copy-button";
import { saveFile } from "../ui/save-file";
import type { CodeToken } from "./highlight";
import { highlightBesidePage } from "./highlighter";
import { fileEnding, languageLabel, languageLoader } from "./languages";

/** Longer code stays plain: colouring it would block the page. */
const LONGEST_HIGHLIGHTED = 40_000;

interface CodeBlockProps {
  code: string;
  language?: string;
  /** The fence is still open, so the code is not coloured yet. */
  open: boolean;
}

export const CodeBlock = memo(function CodeBlock({ code, language, open }: CodeBlockProps) {
  const lines = useTokens(code, language, open);
  const [wrapped, setWrapped] = useState(false);
  const file = () => new Blob([`${code}\n`], { type: "text/plain;charset=utf-8" });
  return (
    <figure className="md-code" data-wrapped={wrapped || undefined}>
      <figcaption>
        <span>{languageLabel(language)}</span>
        <div>
          <button
            type="button"
            className="md-code-action"
            aria-label="Wrap lines"
            title="Wrap lines"
            aria-pressed={wrapped}
            onClick={() => setWrapped(!wrapped)}
          >
            <WrapText aria-hidden size={15} />
          </button>
          <button
            type="button"
            className="md-code-action"
            aria-label="Download code"
            title="Download code"
            onClick={() => saveFile(`code.${fileEnding(language)}`, file())}
          >
            <Download aria-hidden size={15} />
          </button>
          <CopyButton
            text={() => `${code}\n`}
            label="Copy code"
            className="md-code-action"
            showLabel
          />
        </div>
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre tabIndex={0} dir="ltr">
        <code>{lines ? lines.map(renderLine) : code}</code>
      </pre>
    </figure>
  );
});

function renderLine(line: CodeToken[], index: number, all: CodeToken[][]) {
  return (
    <span key={index}>
      {line.map((token, at) =>
        token.kind ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity
          <span key={at} className={`token-${token.kind}`}>
            {token.text}
          </span>
        ) : (
          token.text
        ),
      )}
      {index < all.length - 1 ? "\n" : null}
    </span>
  );
}

function useTokens(
  code: string,
  language: string | undefined,
  open: boolean,
): CodeToken[][] | undefined {
  const [done, setDone] = useState<{ code: string; lines: CodeToken[][] }>();
  const known = languageLoader(language) !== undefined;
  const wanted = !open && code.length <= LONGEST_HIGHLIGHTED && known;
  useEffect(() => {
    if (!wanted || !language) return;
    let current = true;
    void highlightBesidePage(code, language).then((lines) => {
      if (current && lines) setDone({ code, lines });
    });
    return () => {
      current = false;
    };
  }, [wanted, code, language]);
  return wanted && done?.code === code ? done.lines : undefined;
}

"use client";

import type { Definition, Nodes } from "mdast";
import { memo, useMemo, useState } from "react";
import { BlockList } from "./block-list";
import { Definitions, definitionsFor } from "./definitions";
import { completeTail } from "./open-tail";
import { parseMarkdown } from "./parse-markdown";
import { renderChildren } from "./render-node";

interface MarkdownProps {
  text: string;
  /** The text is still growing. */
  streaming?: boolean;
}

/** Markdown of a model. Finished pieces are parsed and drawn once; while the text grows only its open tail is. */
export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  const [list] = useState(() => new BlockList());
  const [known] = useState(() => new Definitions());
  const { closed, tail } = list.update(text);
  const definitions = known.update(closed, tail);
  const pieces = tail ? [...closed, tail] : closed;
  return (
    <div className="md">
      {pieces.map((piece, index) => (
        <MarkdownPiece
          // biome-ignore lint/suspicious/noArrayIndexKey: a piece is its place, and keeps it when it is finished
          key={index}
          text={piece}
          definitions={definitionsFor(piece, definitions)}
          open={streaming && index === closed.length}
        />
      ))}
    </div>
  );
});

interface PieceProps {
  text: string;
  /** Markdown of the definitions that the piece refers to. */
  definitions: string;
  open: boolean;
}

const MarkdownPiece = memo(function MarkdownPiece({ text, definitions, open }: PieceProps) {
  const shown = open ? completeTail(text) : text;
  const parsed = useMemo(
    () => parseMarkdown(shown, { definitions, open }),
    [shown, definitions, open],
  );
  if (!parsed) return <p className="md-plain">{text}</p>;
  return renderChildren(parsed.tree, {
    source: parsed.source,
    ownLength: parsed.ownLength,
    open,
    definitions: linkDefinitions(parsed.tree),
  });
});

function linkDefinitions(node: Nodes, found = new Map<string, Definition>()) {
  if (node.type === "definition") {
    if (!found.has(node.identifier)) found.set(node.identifier, node);
  } else if ("children" in node && node.type !== "paragraph") {
    for (const child of node.children) linkDefinitions(child, found);
  }
  return found;
}

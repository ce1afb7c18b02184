import type { Code, Definition, List, ListItem, Nodes, Parents, RootContent, Table } from "mdast";
import { Fragment, type ReactNode } from "react";
import { assertNever } from "@/lib/run/assert-never";
import { CopyButton } from "../ui/copy-button";
import { splitBareLink } from "./bare-links";
import { CodeBlock } from "./code-block";
import { MathFormula } from "./math";
import { MessageImage } from "./remote-image";
import { safeHref } from "./safe-url";
import { plainText, tableCsv } from "./table-csv";

export interface RenderContext {
  /** What node positions count into. */
  source: string;
  /** Where the definitions begin that stand elsewhere in the message; what comes after is not drawn. */
  ownLength: number;
  /** The piece is still being written. */
  open: boolean;
  definitions: ReadonlyMap<string, Definition>;
}

/** Every kind of node of the syntax tree as React elements. No node becomes HTML: raw HTML is text like any other. */
export function renderNode(node: RootContent, context: RenderContext): ReactNode {
  switch (node.type) {
    case "text":
      return node.value;
    case "paragraph":
      return <p dir="auto">{renderChildren(node, context)}</p>;
    case "heading": {
      // The page's own heading is the first level.
      const Heading = `h${Math.min(node.depth + 1, 6)}` as "h2" | "h3" | "h4" | "h5" | "h6";
      return (
        <Heading dir="auto" className={`md-h${node.depth}`}>
          {renderChildren(node, context)}
        </Heading>
      );
    }
    case "emphasis":
      return <em>{renderChildren(node, context)}</em>;
    case "strong":
      return <strong>{renderChildren(node, context)}</strong>;
    case "delete":
      return <del>{renderChildren(node, context)}</del>;
    case "inlineCode":
      return <code dir="ltr">{node.value}</code>;
    case "break":
      return <br />;
    case "thematicBreak":
      return <hr />;
    case "blockquote":
      return <blockquote dir="auto">{renderChildren(node, context)}</blockquote>;
    case "list":
      return renderList(node, context);
    case "listItem":
      return renderItem(node, true, context);
    case "code":
      return (
        <CodeBlock
          code={node.value}
          language={node.lang ?? undefined}
          open={context.open && !isFinishedCode(node, context)}
        />
      );
    case "html":
      return renderRawHtml(node.value);
    case "link":
      return isBareLink(node, context)
        ? renderBareLink(node.url, plainText(node))
        : renderLink(node.url, node.title, renderChildren(node, context));
    case "linkReference": {
      const definition = context.definitions.get(node.identifier);
      const children = renderChildren(node, context);
      return definition ? renderLink(definition.url, definition.title, children) : children;
    }
    case "image":
      return <MessageImage url={node.url} alt={node.alt ?? ""} />;
    case "imageReference": {
      const definition = context.definitions.get(node.identifier);
      return <MessageImage url={definition?.url ?? ""} alt={node.alt ?? ""} />;
    }
    case "table":
      return renderTable(node, context);
    case "tableRow":
    case "tableCell":
      return renderChildren(node, context); // drawn by their table
    case "footnoteReference":
      return <sup className="md-footnote-mark">{node.label ?? node.identifier}</sup>;
    case "footnoteDefinition":
      return (
        <aside className="md-footnote" aria-label={`Footnote ${node.label ?? node.identifier}`}>
          <sup>{node.label ?? node.identifier}</sup>
          <div>{renderChildren(node, context)}</div>
        </aside>
      );
    case "math":
      return <MathFormula tex={node.value} display />;
    case "inlineMath":
      return <MathFormula tex={node.value} display={startsWith("$$", node, context)} />;
    case "definition":
    case "yaml":
      return null;
    default:
      return assertNever(node);
  }
}

/** The children of a node. Their place is their identity: a text that grows keeps its elements. */
export function renderChildren(parent: Parents, context: RenderContext): ReactNode[] {
  return parent.children
    .filter((child) => (child.position?.start.offset ?? 0) < context.ownLength)
    .map((child, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Fragment key={index}>{renderNode(child, context)}</Fragment>
    ));
}

function renderList(list: List, context: RenderContext): ReactNode {
  const loose = list.spread === true || list.children.some((item) => item.spread === true);
  const items = list.children.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see renderChildren
    <Fragment key={index}>{renderItem(item, loose, context)}</Fragment>
  ));
  if (!list.ordered) return <ul dir="auto">{items}</ul>;
  const start = list.start ?? 1;
  return (
    <ol dir="auto" start={start === 1 ? undefined : start}>
      {items}
    </ol>
  );
}

function renderItem(item: ListItem, loose: boolean, context: RenderContext): ReactNode {
  const isTask = typeof item.checked === "boolean";
  const children = item.children.map((child, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see renderChildren
    <Fragment key={index}>
      {child.type === "paragraph" && !loose
        ? renderChildren(child, context)
        : renderNode(child, context)}
    </Fragment>
  ));
  if (!isTask) return <li>{children}</li>;
  return (
    <li className="md-task">
      <input
        type="checkbox"
        checked={item.checked === true}
        readOnly
        disabled
        aria-label={item.checked ? "Done" : "To do"}
      />
      <div>{children}</div>
    </li>
  );
}

function renderTable(table: Table, context: RenderContext): ReactNode {
  const [head, ...rows] = table.children;
  const align = (column: number) => table.align?.[column] ?? undefined;
  return (
    <div className="md-table">
      <CopyButton text={() => tableCsv(table)} label="Copy as CSV" className="md-table-copy" />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <tr>
              {head?.children.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number
                <th key={column} dir="auto" scope="col" data-align={align(column)}>
                  {renderChildren(cell, context)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a row is its number
              <tr key={index}>
                {row.children.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a column is its number
                  <td key={column} dir="auto" data-align={align(column)}>
                    {renderChildren(cell, context)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </div>
  );
}

function renderLink(url: string, title: string | null | undefined, text: ReactNode): ReactNode {
  const href = safeHref(url);
  if (!href) return <span className="md-dead">{text}</span>;
  return (
    <a href={href} title={title ?? undefined} target="_blank" rel="noopener noreferrer nofollow">
      {text}
    </a>
  );
}

function renderBareLink(url: string, text: string): ReactNode {
  const runs = splitBareLink(text);
  // "www.example.com" and an e-mail address have their scheme in the node's url only.
  if (runs.length === 1) return renderLink(url, null, text);
  return runs.map((run, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: see renderChildren
    <Fragment key={index}>{run.url ? renderLink(run.url, null, run.text) : run.text}</Fragment>
  ));
}

/** A line break is so common in tables that it is honoured; it becomes our own element. */
function renderRawHtml(html: string): ReactNode {
  if (/^<br\s*\/?>$/i.test(html.trim())) return <br />;
  return <span className="md-html">{html}</span>;
}

function isBareLink(node: Nodes, context: RenderContext): boolean {
  return !startsWith("[", node, context) && !startsWith("<", node, context);
}

function startsWith(mark: string, node: Nodes, context: RenderContext): boolean {
  const offset = node.position?.start.offset;
  return offset !== undefined && context.source.startsWith(mark, offset);
}

function isFinishedCode(node: Code, context: RenderContext): boolean {
  const end = node.position?.end.offset ?? 0;
  const text = context.source.slice(node.position?.start.offset ?? 0, end);
  const marker = /^(`{3,}|~{3,})/.exec(text)?.[1];
  if (!marker) return end < context.ownLength;
  const last = text.slice(text.lastIndexOf("\n") + 1).trim();
  return text.includes("\n") && last.length >= marker.length && last.startsWith(marker);
}

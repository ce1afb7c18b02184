import { assertNever } from "@/lib/run/assert-never";
import { safeHref } from "../markdown/safe-url";
import type { ToolDetails } from "./tool-details";

const STATUS_LABEL = {
  pending: "To do",
  in_progress: "In progress",
  done: "Done",
  dropped: "Dropped",
} as const;
const STATUS_MARK = { pending: "○", in_progress: "◐", done: "●", dropped: "–" } as const;

/** The result of a tool of our own, shown as what it is. */
export function ToolResultView({ details }: { details: ToolDetails }) {
  switch (details.kind) {
    case "plan":
      return (
        <ul className="tool-plan" aria-label="Plan">
          {details.plan.map(({ text, status }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a result does not change
            <li key={index} data-status={status}>
              <span role="img" aria-label={STATUS_LABEL[status]}>
                {STATUS_MARK[status]}
              </span>{" "}
              <span dir="auto">{text}</span>
            </li>
          ))}
        </ul>
      );
    case "search":
      return (
        <ul className="tool-links" aria-label="Results">
          {details.results.map(({ title, url, snippet }) => (
            <li key={url}>
              <SafeLink url={url} title={title} />
              <p dir="auto">{snippet}</p>
            </li>
          ))}
        </ul>
      );
    case "page":
      return (
        <p className="tool-links">
          <SafeLink url={details.url} title={details.title ?? details.url} />
        </p>
      );
    case "program":
      return (
        <div className="tool-program">
          {details.console.length > 0 ? (
            <pre className="tool-preview" data-part="console" dir="auto">
              {details.console.map(({ text }) => text).join("\n")}
            </pre>
          ) : null}
          {details.value ? (
            <pre className="tool-preview" data-part="value" dir="auto">
              → {details.value}
            </pre>
          ) : null}
          {details.error ? (
            <pre className="tool-preview tool-error" data-part="error" dir="auto">
              {details.error}
            </pre>
          ) : null}
        </div>
      );
    default:
      return assertNever(details);
  }
}

function SafeLink({ url, title }: { url: string; title: string }) {
  const href = safeHref(url);
  if (!href) return <span dir="auto">{title}</span>;
  return (
    <a href={href} target="_blank" rel="noreferrer noopener nofollow" dir="auto">
      {title} <span className="tool-host">{new URL(href).host}</span>
    </a>
  );
}

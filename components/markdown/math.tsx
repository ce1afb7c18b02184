import { memo } from "react";
import { lazyModule } from "./lazy-module";

const katex = lazyModule(() => import("./katex"));

/** A formula. Its source is shown until the typesetter is loaded, and when it cannot be read. */
export const MathFormula = memo(function MathFormula({
  tex,
  display,
}: {
  tex: string;
  display: boolean;
}) {
  const html = katex.use()?.formulaHtml(tex, display);
  const className = display ? "md-math md-math-display" : "md-math";
  if (html === undefined) {
    return (
      <code className={className} dir="ltr">
        {tex}
      </code>
    );
  }
  return (
    <span
      className={className}
      dir="ltr"
      // The only HTML that is ever put into the page: KaTeX's own output, with `trust` off, so a formula can bring neither
      // a link nor an image nor an attribute of its own.
      // biome-ignore lint/security/noDangerouslySetInnerHtml: see above
      dangerouslySetInnerHTML={{ __html: html }}
    />
  );
});

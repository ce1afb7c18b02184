import { getDocumentProxy } from "unpdf";
import type { FetchedDocument } from "./fetch-document";
import type { PageText } from "./page-text";

const mostPages = 200;

/** The text of a PDF, page by page. @throws Error when it cannot be read */
export async function pdfText(document: FetchedDocument): Promise<PageText> {
  if (document.cut) throw new Error("The PDF is too large to be read.");
  const pdf = await getDocumentProxy(document.body.slice(), {
    isEvalSupported: false,
    useSystemFonts: false,
    verbosity: 0,
  }).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : "it is broken";
    throw new Error(`The PDF cannot be read: ${why}`);
  });
  try {
    const pages: string[] = [];
    for (let number = 1; number <= Math.min(pdf.numPages, mostPages); number++) {
      const page = await pdf.getPage(number);
      const { items } = await page.getTextContent();
      const text = items
        .map((item) => ("str" in item ? item.str + (item.hasEOL ? "\n" : "") : ""))
        .join("");
      pages.push(`[Page ${number} of ${pdf.numPages}]\n${text.trim()}`);
    }
    const title = await titleOf(pdf);
    return { ...(title && { title }), text: pages.join("\n\n") };
  } finally {
    await pdf.destroy();
  }
}

async function titleOf(pdf: Awaited<ReturnType<typeof getDocumentProxy>>) {
  const metadata = await pdf.getMetadata().catch(() => undefined);
  const title = (metadata?.info as { Title?: unknown } | undefined)?.Title;
  return typeof title === "string" && title.trim() ? title.trim() : undefined;
}

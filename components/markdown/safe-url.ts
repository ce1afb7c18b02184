const LINK_PROTOCOLS = new Set(["http:", "https:", "mailto:"]);
const INLINE_IMAGE = /^data:image\/(?:png|jpeg|gif|webp|avif);base64,[a-z0-9+/=\s]+$/i;

/** The address if it may be followed, else undefined. Relative addresses are none: a model's text has no place of its own. */
export function safeHref(url: string): string | undefined {
  // Control characters and leading blanks are dropped by URL parsers, so "java\nscript:" would pass a prefix check.
  if (!/^[a-z][a-z0-9+.-]*:/i.test(url)) return undefined;
  const parsed = URL.parse?.(url) ?? parseUrl(url);
  if (!parsed || !LINK_PROTOCOLS.has(parsed.protocol)) return undefined;
  return parsed.href;
}

export type ImageSource =
  | { kind: "inline"; url: string }
  | { kind: "remote"; url: string; host: string }
  | { kind: "refused" };

/** How an image of a message may be shown: at once (its data is in the text), after a click, or not at all. */
export function imageSource(url: string): ImageSource {
  if (INLINE_IMAGE.test(url)) return { kind: "inline", url };
  const href = safeHref(url);
  if (!href || href.startsWith("mailto:")) return { kind: "refused" };
  return { kind: "remote", url: href, host: new URL(href).host };
}

function parseUrl(url: string): URL | undefined {
  try {
    return new URL(url);
  } catch {
    return undefined;
  }
}

/**
 * What a page may load and where it may talk to. Model output is hostile: no script but ours, no picture or connection that
 * could carry a conversation away. Styles may be inline, since formulas and highlighted code are drawn with them.
 *
 * @param nonce goes on every script of the page, so pages are rendered per request
 * @param development the development server evaluates code and talks to itself over a web socket
 */
export function contentSecurityPolicy(nonce: string, development: boolean): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${development ? " 'unsafe-eval'" : ""}`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    "font-src 'self' data:",
    `connect-src 'self'${development ? " ws: wss:" : ""}`,
    "worker-src 'self' blob:",
    "frame-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

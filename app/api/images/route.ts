import { HttpError } from "@/lib/server/errors";
import { handle } from "@/lib/server/handle";
import { remoteImage } from "@/lib/server/images/remote-image";
import { guardedFetch } from "@/lib/server/outbound";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** `GET /api/images?url=…`: an image that a message points to, once a person asked to see it. For our own pages only. */
export function GET(request: Request): Promise<Response> {
  return handle(request, async ({ config }) => {
    const site = request.headers.get("sec-fetch-site");
    if (site !== null && site !== "same-origin") {
      throw new HttpError(
        403,
        "forbidden-origin",
        "Pages of other sites may not call this server.",
      );
    }
    const url = new URL(request.url).searchParams.get("url");
    if (!url) throw new HttpError(400, "invalid-request", "url: missing.", "url");
    const fetch = guardedFetch(config.allowPrivateHosts ? "any" : "public");
    const { mediaType, body } = await remoteImage(url, fetch, request.signal);
    return new Response(body, {
      headers: {
        "content-type": mediaType,
        "content-security-policy": "default-src 'none'; sandbox",
        "cache-control": "private, max-age=86400",
      },
    });
  });
}

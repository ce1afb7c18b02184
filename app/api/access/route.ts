import { accessCookieFor, assertOwnSite, equalInConstantTime } from "@/lib/server/access";
import { accessPage } from "@/lib/server/access-page";
import { errorResponse, HttpError } from "@/lib/server/errors";
import { runtime as currentRuntime } from "@/lib/server/runtime";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Takes the access token from the form that asks for it and remembers it in a cookie. */
export async function POST(request: Request): Promise<Response> {
  try {
    const { config } = currentRuntime();
    assertOwnSite(request, config);
    if (Number(request.headers.get("content-length") ?? 0) > 10_000) {
      throw new HttpError(413, "too-large", "body: too large.", "body");
    }
    const form = await request.formData().catch(() => new FormData());
    const token = String(form.get("token") ?? "").trim();
    const { accessToken } = config;
    if (accessToken && !equalInConstantTime(token, accessToken)) return accessPage(true);
    const headers = new Headers({ location: "/", "cache-control": "no-store" });
    if (accessToken) headers.set("set-cookie", accessCookieFor(accessToken, isHttps(request)));
    return new Response(null, { status: 303, headers });
  } catch (error) {
    return errorResponse(error);
  }
}

function isHttps(request: Request): boolean {
  const forwarded = request.headers.get("x-forwarded-proto")?.split(",")[0]?.trim();
  return (forwarded ?? new URL(request.url).protocol.replace(":", "")) === "https";
}

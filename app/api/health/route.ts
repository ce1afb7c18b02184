import { handle } from "@/lib/server/handle";
import packageJson from "@/package.json";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

export function GET(request: Request): Promise<Response> {
  return handle(request, () =>
    Response.json(
      { ok: true, version: packageJson.version },
      { headers: { "cache-control": "no-store" } },
    ),
  );
}

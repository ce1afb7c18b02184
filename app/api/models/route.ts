import { handle } from "@/lib/server/handle";
import { modelsResponse } from "@/lib/server/models-response";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Providers and models, and for each whether the server has a key. */
export function GET(request: Request): Promise<Response> {
  return handle(request, ({ catalog, config }) =>
    Response.json(modelsResponse(catalog, config), { headers: { "cache-control": "no-store" } }),
  );
}

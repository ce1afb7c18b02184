import { handle } from "@/lib/server/handle";
import { modelsResponse } from "@/lib/server/models-response";
import { serverToolsOf } from "@/lib/server/tools/server-tools";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/**
 * Providers and models as far as they are known now, and for each whether the server has a key. Servers on this machine are
 * looked for meanwhile; what is found is in the next answer.
 */
export function GET(request: Request): Promise<Response> {
  return handle(request, async ({ catalog, config }) => {
    void catalog.localServers.look();
    await serverToolsOf(config.env).look();
    return Response.json(modelsResponse(catalog, config), {
      headers: { "cache-control": "no-store" },
    });
  });
}

import { assertJson } from "@/lib/server/access";
import { readUserKey } from "@/lib/server/credentials";
import { handle } from "@/lib/server/handle";
import { listProviderModels, parseListRequest } from "@/lib/server/list-provider-models";
import { describeModel } from "@/lib/server/models-response";
import { readJson } from "@/lib/server/read-json";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** The models that a provider lists now, with the server's key or the person's own. */
export function POST(
  request: Request,
  context: { params: Promise<{ providerId: string }> },
): Promise<Response> {
  return handle(request, async (current) => {
    assertJson(request);
    const userKey = readUserKey(request);
    const wanted = parseListRequest(await readJson(request, 16 * 1024));
    const { providerId } = await context.params;
    const models = await listProviderModels(current, providerId, wanted, userKey);
    return Response.json(
      { models: models.map(describeModel) },
      { headers: { "cache-control": "no-store" } },
    );
  });
}

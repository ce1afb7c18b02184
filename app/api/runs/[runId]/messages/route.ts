import { parseRunMessage, runRequestLimits } from "@/lib/run/request";
import { assertJson } from "@/lib/server/access";
import { handle } from "@/lib/server/handle";
import { readJson } from "@/lib/server/read-json";
import { commandResponse } from "@/lib/server/runs/attach";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** A message to a run that is on: into its next turn, or after it has done what it is at. */
export function POST(
  request: Request,
  context: { params: Promise<{ runId: string }> },
): Promise<Response> {
  return handle(request, async ({ registry }) => {
    assertJson(request);
    const body = parseRunMessage(await readJson(request, runRequestLimits.bodyBytes));
    const { runId } = await context.params;
    return commandResponse(await registry.command(runId, { type: "message", ...body }), 202);
  });
}

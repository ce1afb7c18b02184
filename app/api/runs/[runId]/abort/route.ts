import { assertJsonOrEmpty } from "@/lib/server/access";
import { handle } from "@/lib/server/handle";
import { commandResponse } from "@/lib/server/runs/attach";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Stops the run. Stopping one that is over is no error. */
export function POST(
  request: Request,
  context: { params: Promise<{ runId: string }> },
): Promise<Response> {
  return handle(request, async ({ registry }) => {
    assertJsonOrEmpty(request);
    const outcome = await registry.command((await context.params).runId, { type: "abort" });
    return commandResponse(outcome === "ended" ? "done" : outcome, 204);
  });
}

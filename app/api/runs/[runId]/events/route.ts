import { handle } from "@/lib/server/handle";
import { attachToRun } from "@/lib/server/runs/attach";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** The run's events after `?after=` or `Last-Event-ID`, and those to come. */
export function GET(
  request: Request,
  context: { params: Promise<{ runId: string }> },
): Promise<Response> {
  return handle(request, async ({ registry }) =>
    attachToRun(registry, (await context.params).runId, request),
  );
}

import { parseRunRequest, runRequestLimits } from "@/lib/run/request";
import { assertJson } from "@/lib/server/access";
import { readUserKey } from "@/lib/server/credentials";
import { handle } from "@/lib/server/handle";
import { readJson } from "@/lib/server/read-json";
import { attachToRun } from "@/lib/server/runs/attach";
import { startRun } from "@/lib/server/runs/start-run";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** Starts a run, or attaches to it when its id was posted before. Answers with the run's events. */
export function POST(request: Request): Promise<Response> {
  return handle(request, async (current) => {
    assertJson(request);
    const userKey = readUserKey(request);
    const body = parseRunRequest(await readJson(request, runRequestLimits.bodyBytes));
    await startRun(current, body, userKey);
    return attachToRun(current.registry, body.runId, request);
  });
}

import { parseToolAnswer, runRequestLimits } from "@/lib/run/request";
import { assertJson } from "@/lib/server/access";
import { handle } from "@/lib/server/handle";
import { readJson } from "@/lib/server/read-json";
import { answerToolCall, commandResponse } from "@/lib/server/runs/attach";

export const runtime = "nodejs";
export const dynamic = "force-dynamic";

/** A person's decision about a tool call that waits for it, or the result of a tool that runs in the browser. */
export function POST(
  request: Request,
  context: { params: Promise<{ runId: string; toolCallId: string }> },
): Promise<Response> {
  return handle(request, async ({ registry }) => {
    assertJson(request);
    const answer = parseToolAnswer(await readJson(request, runRequestLimits.bodyBytes));
    const { runId, toolCallId } = await context.params;
    return commandResponse(await answerToolCall(registry, runId, toolCallId, answer), 202);
  });
}

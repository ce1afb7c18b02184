import { assertAccess } from "./access";
import { errorResponse } from "./errors";
import { type Runtime, runtime } from "./runtime";

/** A route's answer. Whoever may not call is turned away first, and whatever is thrown becomes an error body. */
export async function handle(
  request: Request,
  answer: (runtime: Runtime) => Response | Promise<Response>,
): Promise<Response> {
  try {
    const current = runtime();
    assertAccess(request, current.config);
    return await answer(current);
  } catch (error) {
    return errorResponse(error);
  }
}

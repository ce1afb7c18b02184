/**
 * Runs an SDK so that an answer that tells a failure comes back as it is, its body unread. SDKs throw it away: they keep the
 * parts of an error body that they know, and hosts have bodies of their own.
 * @param send makes the request with the fetch that it is given
 */
export async function keepingFailedResponse(
  fetch: typeof globalThis.fetch,
  send: (fetch: typeof globalThis.fetch) => Promise<Response>,
): Promise<Response> {
  let failed: Response | undefined;
  try {
    return await send(async (input, init) => {
      const response = await fetch(input, init);
      failed = response.ok ? undefined : response.clone();
      return response;
    });
  } catch (error) {
    if (failed) return failed;
    throw error;
  }
}

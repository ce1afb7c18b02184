import { type NextRequest, NextResponse } from "next/server";
import { assertOwnHost, hasToken } from "./access";
import { accessPage } from "./access-page";
import { serverConfig } from "./config";
import { contentSecurityPolicy } from "./content-security-policy";
import { errorResponse } from "./errors";

/** In front of every page: who may see it, and what it may do. The API looks after itself. */
export function guardPage(request: NextRequest): Response {
  const config = serverConfig();
  // A link from another site may lead here, so only the host name counts.
  try {
    assertOwnHost(request, config);
  } catch (error) {
    return errorResponse(error);
  }
  if (!hasToken(request, config.accessToken)) return accessPage(false);

  const nonce = btoa(crypto.randomUUID());
  const policy = contentSecurityPolicy(nonce, process.env.NODE_ENV === "development");
  const headers = new Headers(request.headers);
  // The framework takes the nonce for its own scripts from here.
  headers.set("content-security-policy", policy);
  headers.set("x-nonce", nonce);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  return response;
}

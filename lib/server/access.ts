/**
 * Who may call. A page of another site must not reach this server through a person's browser, whether by a form, by a
 * script or by a host name that was made to point at this machine; and with an access token set, nobody may without it.
 */

import { createHash, timingSafeEqual } from "node:crypto";
import { isLoopbackName, type ServerConfig } from "./config";
import { HttpError } from "./errors";

const accessCookie = "rill_access";

type AccessConfig = Pick<ServerConfig, "loopbackOnly" | "host" | "allowedHosts" | "accessToken">;

/** @throws HttpError 403 for a foreign host or page, 401 without the token */
export function assertAccess(request: Request, config: AccessConfig): void {
  assertOwnSite(request, config);
  if (!hasToken(request, config.accessToken)) {
    throw new HttpError(401, "access-token", "This server needs its access token.");
  }
}

/** @throws HttpError 403 for a foreign host or page */
export function assertOwnSite(request: Request, config: AccessConfig): void {
  assertOwnHost(request, config);
  if (isCrossSite(request, hostOf(request), config)) {
    throw new HttpError(403, "forbidden-origin", "Pages of other sites may not call this server.");
  }
}

/** @throws HttpError 403 for a host name that is not this server's */
export function assertOwnHost(request: Request, config: AccessConfig): void {
  if (isOwnHost(hostOf(request), config)) return;
  throw new HttpError(403, "forbidden-host", "This server does not answer under that host name.");
}

/** Only JSON may be posted: a form of another site cannot send that. @throws HttpError 415 */
export function assertJson(request: Request): void {
  const type = request.headers.get("content-type")?.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw new HttpError(415, "content-type", "The content type must be application/json.");
  }
}

/** The same for a call that needs no body. @throws HttpError 415 */
export function assertJsonOrEmpty(request: Request): void {
  if (request.headers.has("content-type")) assertJson(request);
}

function hostOf(request: Request): string {
  return (request.headers.get("host") ?? new URL(request.url).host).toLowerCase();
}

const nameOf = (host: string): string => host.replace(/:\d*$/, "");

// A server that only this machine can reach is asked for by this machine's names; any other was rebound to it.
function isOwnHost(host: string, config: AccessConfig): boolean {
  if (isAllowedName(host, config)) return true;
  if (isLoopbackName(nameOf(host))) return true;
  return !isLoopbackName(config.host);
}

const isAllowedName = (host: string, config: AccessConfig): boolean =>
  config.allowedHosts.includes(host) || config.allowedHosts.includes(nameOf(host));

function isCrossSite(request: Request, host: string, config: AccessConfig): boolean {
  const origin = request.headers.get("origin");
  if (origin === null) {
    const site = request.headers.get("sec-fetch-site");
    return request.method !== "GET" && (site === "cross-site" || site === "same-site");
  }
  if (!URL.canParse(origin)) return true;
  const originHost = new URL(origin).host;
  return originHost !== host && !isAllowedName(originHost, config);
}

/** Whether the request brings the token, as a bearer or as a cookie; always when none is set. */
export function hasToken(request: Request, token: string | undefined): boolean {
  if (!token) return true;
  const bearer = /^bearer\s+(.+)$/i.exec(request.headers.get("authorization") ?? "")?.[1];
  const given = bearer?.trim() ?? cookieValue(request.headers.get("cookie"), accessCookie);
  return given !== undefined && equalInConstantTime(given, token);
}

/** The cookie by which a browser brings the token from now on. */
export function accessCookieFor(token: string, secure: boolean): string {
  const cookie = `${accessCookie}=${encodeURIComponent(token)}; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000`;
  return secure ? `${cookie}; Secure` : cookie;
}

function cookieValue(header: string | null, name: string): string | undefined {
  for (const part of header?.split(";") ?? []) {
    const [key, ...value] = part.trim().split("=");
    if (key !== name) continue;
    try {
      return decodeURIComponent(value.join("="));
    } catch {
      return undefined;
    }
  }
  return undefined;
}

export function equalInConstantTime(a: string, b: string): boolean {
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(a), digest(b));
}

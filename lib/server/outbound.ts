/**
 * The guard in front of every address that a person gave. The name is resolved and checked before a run starts, and again
 * at the moment of connecting, so that a name which changes its mind between the two gains nothing. Redirects are not followed.
 */

import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { lookup as lookupAll } from "node:dns/promises";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP } from "node:net";
import { Readable } from "node:stream";
import { type AddressPolicy, isAllowedAddress } from "./addresses";
import { isLoopbackName, type ServerConfig } from "./config";
import { HttpError } from "./errors";

export function addressPolicy(
  config: Pick<ServerConfig, "allowPrivateHosts" | "loopbackOnly">,
): AddressPolicy {
  if (config.allowPrivateHosts) return "any";
  return config.loopbackOnly ? "public-and-loopback" : "public";
}

type Resolve = (host: string) => Promise<string[]>;
const resolveHost: Resolve = async (host) =>
  (await lookupAll(host, { all: true })).map((entry) => entry.address);

/**
 * Checks an address that a person gave: http(s), no user name, and every address behind its name allowed.
 * @throws HttpError that names `field`
 */
export async function assertAllowedUrl(
  url: string,
  policy: AddressPolicy,
  field: string,
  resolve: Resolve = resolveHost,
): Promise<void> {
  const refuse = (message: string): never => {
    throw new HttpError(400, "address-refused", `${field}: ${message}`, field);
  };
  if (!URL.canParse(url)) refuse("not an address.");
  const parsed = new URL(url);
  if (parsed.protocol !== "https:" && parsed.protocol !== "http:") refuse("must be http or https.");
  if (parsed.username || parsed.password) refuse("must not contain a user name or password.");
  if (policy === "any") return;
  const host = parsed.hostname.replace(/^\[|\]$/g, "");
  if (isLoopbackName(host) && policy === "public-and-loopback") return;
  const addresses = isIP(host) ? [host] : await resolve(host).catch(() => []);
  if (addresses.length === 0) refuse(`the host ${host} cannot be found.`);
  if (!addresses.every((address) => isAllowedAddress(address, policy))) {
    refuse(
      `${host} is a private address. Set RILL_ALLOW_PRIVATE_HOSTS=1 on the server to allow it.`,
    );
  }
}

/** A failure to connect that trying again does not mend. Has a status so that it counts as an answer. */
class RefusedAddressError extends Error {
  readonly status = 403;
}

type LookupCallback = (
  error: NodeJS.ErrnoException | null,
  address: string | LookupAddress[],
  family?: number,
) => void;

/** Names to addresses, as Node's own; another one is for tests. */
export type LookupAll = (
  host: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

function guardedLookup(policy: AddressPolicy, lookupAddresses: LookupAll) {
  return (host: string, options: LookupOptions, callback: LookupCallback): void => {
    lookupAddresses(host, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const refused = addresses.find((entry) => !isAllowedAddress(entry.address, policy));
      if (refused) {
        return callback(new RefusedAddressError(`The address of ${host} is private: refused.`), []);
      }
      if (options.all) return callback(null, addresses);
      const first = addresses[0] as LookupAddress;
      callback(null, first.address, first.family);
    });
  };
}

/** `fetch` that checks each address while it connects. Follows no redirect: it gives the 3xx answer as it is. */
export function guardedFetch(
  policy: AddressPolicy,
  lookupAddresses: LookupAll = lookup,
): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    const host = url.hostname.replace(/^\[|\]$/g, "");
    if (isIP(host) && !isAllowedAddress(host, policy)) {
      throw new RefusedAddressError(`${host} is a private address: refused.`);
    }
    const body = request.body ? Buffer.from(await request.arrayBuffer()) : undefined;
    const headers: Record<string, string> = { ...Object.fromEntries(request.headers) };
    headers["accept-encoding"] = "identity";
    if (body) headers["content-length"] = String(body.length);
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const outgoing = send(
        url,
        {
          method: request.method,
          headers,
          signal: request.signal,
          lookup: guardedLookup(policy, lookupAddresses),
        },
        resolve,
      );
      outgoing.on("error", reject);
      outgoing.end(body);
    });
    return toResponse(answer);
  };
}

function toResponse(answer: IncomingMessage): Response {
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headersDistinct)) {
    for (const one of value ?? []) headers.append(name, one);
  }
  const status = answer.statusCode ?? 502;
  const empty = status === 204 || status === 304;
  const body = empty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array>);
  if (empty) answer.resume();
  return new Response(body, { status, statusText: answer.statusMessage, headers });
}

/** The platform's `fetch` for a catalog's own address: a redirect is an answer, never followed with the key in hand. */
export const fetchWithoutRedirects: typeof globalThis.fetch = (input, init) =>
  fetch(input, { ...init, redirect: "manual" });

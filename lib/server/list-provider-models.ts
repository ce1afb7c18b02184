import * as z from "zod";
import { apis } from "@/lib/ai/apis/index";
import { ProviderError } from "@/lib/ai/errors";
import { createProvider, type Provider } from "@/lib/ai/provider";
import type { Api, KnownApi, Model } from "@/lib/ai/types";
import { serverKey } from "./credentials";
import { HttpError } from "./errors";
import { type ListTerms, modelsWith } from "./live-models";
import { addressPolicy, assertAllowedUrl, fetchWithoutRedirects, guardedFetch } from "./outbound";
import type { Runtime } from "./runtime";

/** The body of `POST /api/models/{providerId}`. */
export interface ListRequest {
  /** An address of the person's own; a provider that the server does not know needs one. */
  baseUrl?: string;
  /** What that address speaks. Default: what the provider lists by, for an unknown one Chat Completions. */
  api?: Api;
  /** Asks even when a list of the last minutes is there. */
  refresh?: boolean;
}

const knownApis = Object.keys(apis) as KnownApi[];
const schema = z.strictObject({
  baseUrl: z
    .url({ protocol: /^https?$/ })
    .max(2000)
    .optional(),
  api: z.enum(knownApis).optional(),
  refresh: z.boolean().optional(),
});

/** @throws HttpError that names the field */
export function parseListRequest(body: unknown): ListRequest {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const field = (issue?.path.map(String).join(".") || unknown) ?? "body";
  throw new HttpError(400, "invalid-request", `${field}: ${issue?.message}`, field);
}

type ListingRuntime = Pick<Runtime, "config" | "catalog">;

/**
 * The chat models that a provider lists now: at its own address together with those that the catalog knows, at an address
 * of the person's own just those. The server's key goes to the provider's own address only.
 * @throws HttpError when the address is refused or no list can be had
 */
export async function listProviderModels(
  { config, catalog }: ListingRuntime,
  providerId: string,
  wanted: ListRequest,
  userKey: string | undefined,
): Promise<Model[]> {
  const known = catalog.providers.find(({ id }) => id === providerId);
  const { baseUrl, api, refresh } = wanted;
  if (!known && !baseUrl) {
    const message = `providerId: there is no provider called ${providerId.slice(0, 300)}.`;
    throw new HttpError(404, "unknown-provider", message, "providerId");
  }
  const owner = catalog.ownerOf(providerId, baseUrl);
  const provider = known ?? ownProvider(providerId, baseUrl ?? "");
  if (!provider.listModels) {
    throw new HttpError(400, "no-list", `${provider.name} has no live list of models.`);
  }
  const policy = addressPolicy(config);
  if (!owner) {
    const field = baseUrl ? "baseUrl" : "providerId";
    await assertAllowedUrl(baseUrl ?? provider.baseUrl, policy, field);
  }
  const apiKey = userKey ?? (owner && serverKey(owner, config));
  const elsewhere = baseUrl !== undefined && baseUrl !== owner?.baseUrl;
  const terms: ListTerms = {
    apiKey,
    refresh,
    personal: userKey !== undefined,
    fetch: owner ? fetchWithoutRedirects : guardedFetch(policy),
    ...(elsewhere && { baseUrl, api }),
  };
  try {
    const listed = await catalog.live.list(provider, terms);
    return elsewhere ? listed : modelsWith(provider, listed);
  } catch (error) {
    throw toHttpError(error, provider, apiKey !== undefined);
  }
}

function ownProvider(id: string, baseUrl: string): Provider {
  const list = { api: "openai-completions" } as const;
  return createProvider({ id, name: id, baseUrl, needsKey: false, models: [], api: apis, list });
}

function toHttpError(error: unknown, provider: Provider, hadKey: boolean): unknown {
  if (!(error instanceof ProviderError)) return error;
  const { name, env } = provider;
  switch (error.errorClass) {
    case "auth":
      if (!hadKey) {
        const orServer = env[0] ? ` or set ${env[0]} on the server` : "";
        const message = `${name} lists its models with an API key only. Add one in the settings${orServer}.`;
        return new HttpError(400, "no-key", message);
      }
      return new HttpError(502, "provider-auth", `${name} refuses the API key: ${error.message}`);
    case "network": {
      const hint = provider.local ? " Is it running?" : "";
      const message = `${name} cannot be reached: ${sentence(error.message)}${hint}`;
      return new HttpError(502, "provider-unreachable", message);
    }
    case "timeout":
      return new HttpError(504, "provider-timeout", `${name} did not list its models in time.`);
    default:
      return new HttpError(502, "provider-error", `${name} lists no models: ${error.message}`);
  }
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

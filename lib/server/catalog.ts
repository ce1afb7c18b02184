/** The models that this server knows, with the addresses that its operator set. */

import { apis } from "@/lib/ai/apis/index";
import { unknownModel as modelOfUnknownId } from "@/lib/ai/listing/complete-model";
import { createModels, type Models } from "@/lib/ai/models";
import { createProvider, type Provider } from "@/lib/ai/provider";
import { builtinProviders } from "@/lib/ai/providers/all";
import type { Model } from "@/lib/ai/types";
import type { ModelRef } from "@/lib/run/request";
import type { ServerConfig } from "./config";
import { HttpError } from "./errors";
import { LiveModels, modelsWith } from "./live-models";
import { LocalServers } from "./local-servers";
import { addressPolicy } from "./outbound";

/** A model that can be asked, and how far its address is to be trusted. */
export interface ResolvedModel {
  model: Model;
  models: Models;
  /** The catalog's provider, when the request goes to where that provider lives. */
  provider?: Provider;
}

export interface Catalog {
  providers: Provider[];
  live: LiveModels;
  localServers: LocalServers;
  /** A provider's models as everybody may see them: its baseline with what is known live. */
  modelsOf(provider: Provider): Model[];
  /** The provider whose own place an address lies in, so that the server's key may go there. */
  ownerOf(providerId: string, baseUrl: string | undefined): Provider | undefined;
  /** @throws HttpError when neither the catalog nor a live list has such a model */
  resolve(model: ModelRef | Model): ResolvedModel;
}

type CatalogConfig = Pick<ServerConfig, "env" | "demoSpeed" | "loopbackOnly" | "allowPrivateHosts">;

/** @param providers for tests; default: all that Rill knows */
export function createCatalog(
  config: CatalogConfig,
  providers: Provider[] = builtinProviders(),
): Catalog {
  const known = providers.map((provider) => withOwnBaseUrl(provider, config.env));
  // Keys are handed over with each request, so the environment is not for the model layer to look at.
  const models = createModels({
    providers: known,
    env: { RILL_DEMO_SPEED: String(config.demoSpeed) },
  });
  const byId = new Map(known.map((provider) => [provider.id, provider]));

  const live = new LiveModels();
  // Where others reach the server, its own machine is not for them to ask.
  const reachable = (provider: Provider): boolean =>
    !provider.local || addressPolicy(config) !== "public";
  const ownerOf: Catalog["ownerOf"] = (providerId, baseUrl) => {
    const provider = byId.get(providerId);
    if (!provider || !reachable(provider)) return undefined;
    return baseUrl === undefined || sameOrigin(provider.baseUrl, baseUrl) ? provider : undefined;
  };
  const findModel = ({ provider: providerId, id }: ModelRef): Model | undefined => {
    const provider = byId.get(providerId);
    if (!provider || !reachable(provider)) return undefined;
    const listed = live.find(providerId, id) ?? models.getModel(providerId, id);
    if (listed || !provider.local || !provider.listApi) return listed;
    // A server on this machine may have models that nobody has listed yet.
    return modelOfUnknownId(
      { provider: providerId, api: provider.listApi, baseUrl: provider.baseUrl },
      id,
    );
  };

  return {
    providers: known,
    live,
    localServers: new LocalServers(known, live, config),
    modelsOf: (provider) => modelsWith(provider, live.shown(provider.id)),
    ownerOf,
    resolve(wanted) {
      if (!("baseUrl" in wanted)) {
        const provider = byId.get(wanted.provider);
        const model = findModel(wanted);
        if (!model || !provider) throw unknownModel(wanted, provider);
        return { model, models, provider };
      }
      const provider = ownerOf(wanted.provider, wanted.baseUrl);
      if (provider) return { model: wanted, models, provider };
      const own = createModels({
        providers: [providerOf(wanted, byId.get(wanted.provider))],
        env: {},
      });
      return { model: wanted, models: own };
    },
  };
}

function withOwnBaseUrl(provider: Provider, env: ServerConfig["env"]): Provider {
  const given = provider.baseUrlEnv && env[provider.baseUrlEnv]?.trim();
  if (!given) return provider;
  const baseUrl = withVersion(provider, given);
  const moved = (models: Model[]): Model[] => models.map((model) => ({ ...model, baseUrl }));
  return {
    ...provider,
    baseUrl,
    getModels: () => moved(provider.getModels()),
    getAllModels: () => moved(provider.getAllModels()),
    ...(provider.listModels && {
      listModels: (options) =>
        provider.listModels?.({ ...options, baseUrl: options?.baseUrl ?? baseUrl }) ??
        Promise.resolve([]),
    }),
  };
}

/** Google's own SDK takes its address without the version and adds it; we take it either way. */
function withVersion(provider: Provider, baseUrl: string): string {
  if (provider.baseUrlEnv !== "GOOGLE_GEMINI_BASE_URL") return baseUrl;
  const bare = baseUrl.replace(/\/+$/, "");
  return /\/v\d\w*$/.test(bare) ? bare : `${bare}/v1beta`;
}

/** Somebody's own endpoint: it may speak any wire API and may need no key. */
function providerOf(model: Model, known: Provider | undefined): Provider {
  return createProvider({
    id: model.provider,
    name: known?.name ?? model.provider,
    baseUrl: model.baseUrl,
    needsKey: false,
    models: [model],
    api: apis,
  });
}

function unknownModel(wanted: ModelRef, provider: Provider | undefined): HttpError {
  if (!provider) {
    const message = `model.provider: there is no provider called ${wanted.provider}.`;
    return new HttpError(400, "unknown-provider", message, "model.provider");
  }
  const message = `model.id: ${provider.name} has no model called ${wanted.id}. Choose another one.`;
  return new HttpError(400, "unknown-model", message, "model.id");
}

const originOf = (url: string): string | undefined =>
  URL.canParse(url) ? new URL(url).origin : undefined;

/** Scheme, host and port: what is trusted with a key over https is not trusted over http. */
function sameOrigin(a: string, b: string): boolean {
  const origin = originOf(a);
  return origin !== undefined && origin !== "null" && origin === originOf(b);
}

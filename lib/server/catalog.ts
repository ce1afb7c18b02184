/** The models that this server knows, with the addresses that its operator set. */

import { apis } from "@/lib/ai/apis/index";
import { createModels, type Models } from "@/lib/ai/models";
import { createProvider, type Provider } from "@/lib/ai/provider";
import { builtinProviders } from "@/lib/ai/providers/all";
import type { Model } from "@/lib/ai/types";
import type { ModelRef } from "@/lib/run/request";
import type { ServerConfig } from "./config";
import { HttpError } from "./errors";

/** A model that can be asked, and how far its address is to be trusted. */
export interface ResolvedModel {
  model: Model;
  models: Models;
  /** The catalog's provider, when the request goes to where that provider lives. */
  provider?: Provider;
}

export interface Catalog {
  providers: Provider[];
  /** @throws HttpError when the catalog has no such model */
  resolve(model: ModelRef | Model): ResolvedModel;
}

/** @param providers for tests; default: all that Rill knows */
export function createCatalog(
  config: Pick<ServerConfig, "env" | "demoSpeed">,
  providers: Provider[] = builtinProviders(),
): Catalog {
  const known = providers.map((provider) => withOwnBaseUrl(provider, config.env));
  // Keys are handed over with each request, so the environment is not for the model layer to look at.
  const models = createModels({
    providers: known,
    env: { RILL_DEMO_SPEED: String(config.demoSpeed) },
  });
  const byId = new Map(known.map((provider) => [provider.id, provider]));

  return {
    providers: known,
    resolve(wanted) {
      const provider = byId.get(wanted.provider);
      if (!("baseUrl" in wanted)) {
        const model = models.getModel(wanted.provider, wanted.id);
        if (!model || !provider) throw unknownModel(wanted, provider);
        return { model, models, provider };
      }
      if (provider && sameOrigin(provider.baseUrl, wanted.baseUrl)) {
        return { model: wanted, models, provider };
      }
      const own = createModels({ providers: [providerOf(wanted, provider)], env: {} });
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

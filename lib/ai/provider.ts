import { lazyStream } from "./lazy.ts";
import type { ListModelsOptions } from "./list-models.ts";
import type {
  Api,
  ApiImplementation,
  AssistantMessageEventStream,
  DeferredHandle,
  Model,
  ProviderRequestOptions,
  SimpleStreamOptions,
  StreamOptions,
  TranscriptContext,
} from "./types.ts";

export interface ProviderConfig {
  id: string;
  name: string;
  baseUrl: string;
  /** Environment variables that may hold the key, the first non-blank one counts. */
  env?: string[];
  /** Environment variable that may hold another base URL. */
  baseUrlEnv?: string;
  /** Whether requests need a key; local servers and the demo do not. Default: true. */
  needsKey?: boolean;
  /** Serves models on the person's own machine. */
  local?: boolean;
  models: Model[] | (() => Model[]);
  /** How its models are listed live, where they can be; a model that the list alone knows is asked in the same way. */
  list?: {
    api: Api;
    /** Where that api lies, when not at the provider's base URL. */
    baseUrl?: string;
  };
  /** One implementation for every chat model, or one per `model.api`. */
  api: ApiImplementation | Partial<Record<Api, ApiImplementation>>;
}

/** Who serves models: their list, where a key comes from, and what answers a request. */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly baseUrl: string;
  readonly env: string[];
  readonly baseUrlEnv: string | undefined;
  readonly needsKey: boolean;
  readonly local: boolean;
  /** Chat models only. A list that cannot be had is empty. */
  getModels(): Model[];
  getAllModels(): Model[];
  /** The api of a model that only a live list knows; absent where there is no live list. */
  readonly listApi?: Api;
  /**
   * The chat models that its endpoint lists now, completed from its own facts. Changes nothing here: `mergeModels` puts
   * them together with `getModels`.
   * @throws ProviderError
   */
  listModels?(options?: ProviderListOptions): Promise<Model[]>;
  stream(
    model: Model,
    context: TranscriptContext,
    options?: StreamOptions & Record<string, unknown>,
  ): AssistantMessageEventStream;
  streamSimple(
    model: Model,
    context: TranscriptContext,
    options?: SimpleStreamOptions,
  ): AssistantMessageEventStream;
  /** Asks for an answer that was deferred; an error event where the api has none (P-308). */
  fetchDeferred(
    model: Model,
    handle: DeferredHandle,
    options?: DeferredFetchOptions,
  ): AssistantMessageEventStream;
  /** @throws where the api has no deferred answers, and when the vendor refuses (P-307, P-308) */
  cancelDeferred(
    model: Model,
    handle: DeferredHandle,
    options?: ProviderRequestOptions,
  ): Promise<void>;
}

export type ProviderListOptions = ListModelsOptions & {
  /** Lists from there instead; the models are then asked there too. */
  baseUrl?: string;
  /** Default: the provider's own. */
  api?: Api;
};

/** `wait`: how long the poll may be held open, in ms. */
export type DeferredFetchOptions = ProviderRequestOptions & { wait?: number };

/** @throws when there is no implementation at all (P-122) */
export function createProvider(config: ProviderConfig): Provider {
  const implementationFor = dispatcher(config);
  const getAllModels = (): Model[] => {
    try {
      return typeof config.models === "function" ? config.models() : config.models;
    } catch {
      return [];
    }
  };
  const missing = (model: Model): AssistantMessageEventStream =>
    lazyStream(model, () => {
      throw new Error(`The provider ${config.id} has no implementation of the api ${model.api}.`);
    });
  return {
    id: config.id,
    name: config.name,
    baseUrl: config.baseUrl,
    env: config.env ?? [],
    baseUrlEnv: config.baseUrlEnv,
    needsKey: config.needsKey ?? true,
    local: config.local ?? false,
    getAllModels,
    getModels: () => getAllModels().filter(isChatModel),
    ...listing(config, getAllModels),
    stream: (model, context, options) =>
      implementationFor(model.api)?.stream(model, context, options) ?? missing(model),
    streamSimple: (model, context, options) =>
      implementationFor(model.api)?.streamSimple(model, context, options) ?? missing(model),
    fetchDeferred: (model, handle, options) =>
      implementationFor(model.api)?.fetchDeferred?.(model, handle, options) ??
      lazyStream(model, () => {
        throw undeferred(model);
      }),
    cancelDeferred: async (model, handle, options) => {
      const cancel = implementationFor(model.api)?.cancelDeferred;
      if (!cancel) throw undeferred(model);
      await cancel(model, handle, options);
    },
  };
}

function listing(
  config: ProviderConfig,
  getAllModels: () => Model[],
): Pick<Provider, "listApi" | "listModels"> {
  const { id: provider, list } = config;
  if (!list) return {};
  return {
    listApi: list.api,
    listModels: async ({ baseUrl, api = list.api, ...options } = {}) => {
      const { listModels } = await import("./list-models.ts");
      const chat = getAllModels().filter(isChatModel);
      const known = baseUrl ? chat.map((model) => ({ ...model, baseUrl })) : chat;
      const place = baseUrl ?? list.baseUrl ?? config.baseUrl;
      return listModels({ provider, api, baseUrl: place }, options, known);
    },
  };
}

function undeferred(model: Model): Error {
  return new Error(`${model.name} of ${model.provider} has no deferred answers.`);
}

export function isChatModel(model: Model): boolean {
  return model.type === undefined || model.type === "chat";
}

function dispatcher(config: ProviderConfig): (api: Api) => ApiImplementation | undefined {
  const { api } = config;
  if (isImplementation(api)) return () => api;
  if (!api || Object.keys(api).length === 0) {
    throw new Error(`The provider ${config.id} has no api.`);
  }
  return (name) => (Object.hasOwn(api, name) ? api[name] : undefined);
}

function isImplementation(api: ProviderConfig["api"]): api is ApiImplementation {
  return typeof (api as ApiImplementation | undefined)?.streamSimple === "function";
}

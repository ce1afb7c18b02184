import { lazyStream } from "./lazy.ts";
import { type DeferredFetchOptions, isChatModel, type Provider } from "./provider.ts";
import { normalizeContext } from "./transcript.ts";
import type {
  AssistantMessage,
  AssistantMessageEventStream,
  Context,
  DeferredHandle,
  Env,
  Headers,
  Model,
  ProviderRequestOptions,
  SimpleStreamOptions,
  StreamOptions,
  TranscriptContext,
} from "./types.ts";

/** A stored credential owns its provider: the environment is not asked then. */
export interface Credential {
  apiKey?: string;
  env?: Env;
  headers?: Headers;
  baseUrl?: string;
}

export interface ModelsConfig {
  providers: Provider[];
  /** Default: the process environment, where there is one. */
  env?: Env;
  credentials?: (providerId: string) => Promise<Credential | undefined> | Credential | undefined;
}

type Extra = { transformHeaders?: (headers: Headers) => Headers };

/** All providers behind one call. */
export interface Models {
  getProviders(): Provider[];
  getProvider(id: string): Provider | undefined;
  getModels(): Model[];
  getModel(provider: string, id: string): Model | undefined;
  /** Whether a request to this provider would find credentials. */
  isConfigured(providerId: string): boolean;
  /** Returns at once; every failure from here on is an event (P-100, P-101). */
  streamSimple(
    model: Model,
    context: Context | TranscriptContext,
    options?: SimpleStreamOptions & Extra,
  ): AssistantMessageEventStream;
  /** The same with options of the model's own api. */
  stream(
    model: Model,
    context: Context | TranscriptContext,
    options?: StreamOptions & Extra & Record<string, unknown>,
  ): AssistantMessageEventStream;
  /** The final message of `streamSimple`. Never rejects. */
  completeSimple(
    model: Model,
    context: Context,
    options?: SimpleStreamOptions & Extra,
  ): Promise<AssistantMessage>;
  /** The final message of `stream`. Never rejects. */
  complete(
    model: Model,
    context: Context,
    options?: StreamOptions & Extra & Record<string, unknown>,
  ): Promise<AssistantMessage>;
  /** Asks for an answer that was deferred, from any process that has its handle (P-302, P-412). */
  fetchDeferred(
    model: Model,
    handle: DeferredHandle,
    options?: DeferredFetchOptions & Extra,
  ): AssistantMessageEventStream;
  /** Best effort. @throws on failure (P-307) */
  cancelDeferred(
    model: Model,
    handle: DeferredHandle,
    options?: ProviderRequestOptions & Extra,
  ): Promise<void>;
}

export function createModels(config: ModelsConfig): Models {
  const providers = new Map(config.providers.map((provider) => [provider.id, provider]));
  const processEnv = config.env ?? (typeof process === "undefined" ? {} : process.env);

  async function prepare<T extends ProviderRequestOptions & Extra>(
    model: Model,
    options: T,
  ): Promise<{ provider: Provider; model: Model; options: T }> {
    if (!isChatModel(model)) throw new Error(`${model.name} is not a chat model.`);
    const provider = providers.get(model.provider);
    if (!provider) throw new Error(`There is no provider called ${model.provider}.`);
    const stored = await config.credentials?.(provider.id);
    const env = layeredEnv(processEnv, { ...stored?.env, ...nonBlank(options.env) });
    const apiKey =
      given(options.apiKey) ?? (stored ? given(stored.apiKey) : keyFromEnv(provider, env));
    const headers = mergeHeaders(stored?.headers, model.headers, options.headers);
    if (!apiKey && provider.needsKey && !hasCredentialHeader(headers)) {
      throw new Error(
        `${provider.name} (${provider.id}) is not configured: no API key.${provider.env.length > 0 ? ` Set ${provider.env[0]} or add a key in the settings.` : ""}`,
      );
    }
    const { transformHeaders, ...rest } = options;
    const baseUrl = stored?.baseUrl ?? model.baseUrl;
    return {
      provider,
      model: baseUrl === model.baseUrl ? model : { ...model, baseUrl },
      options: {
        ...rest,
        apiKey,
        env,
        headers: transformHeaders ? transformHeaders(headers) : headers,
      } as T,
    };
  }

  const transcript = (context: Context | TranscriptContext): TranscriptContext =>
    normalizeContext(context as Context);

  const models: Models = {
    getProviders: () => [...providers.values()],
    getProvider: (id) => providers.get(id),
    getModels: () => [...providers.values()].flatMap((provider) => provider.getModels()),
    getModel: (providerId, id) =>
      providers
        .get(providerId)
        ?.getModels()
        .find((model) => model.id === id),
    isConfigured: (id) => {
      const provider = providers.get(id);
      return !!provider && (!provider.needsKey || keyFromEnv(provider, processEnv) !== undefined);
    },
    streamSimple: (model, context, options = {}) => {
      const normalized = transcript(context);
      return lazyStream(
        model,
        async () => {
          const ready = await prepare(model, options);
          return ready.provider.streamSimple(ready.model, normalized, ready.options);
        },
        options,
      );
    },
    stream: (model, context, options = {}) => {
      const normalized = transcript(context);
      return lazyStream(
        model,
        async () => {
          const ready = await prepare(model, options);
          return ready.provider.stream(ready.model, normalized, ready.options);
        },
        options,
      );
    },
    completeSimple: (model, context, options) =>
      models.streamSimple(model, context, options).result(),
    complete: (model, context, options) => models.stream(model, context, options).result(),
    fetchDeferred: (model, handle, options = {}) =>
      lazyStream(
        model,
        async () => {
          const ready = await prepare(model, options);
          return ready.provider.fetchDeferred(ready.model, handle, ready.options);
        },
        options,
      ),
    cancelDeferred: async (model, handle, options = {}) => {
      const ready = await prepare(model, options);
      await ready.provider.cancelDeferred(ready.model, handle, ready.options);
    },
  };
  return models;
}

/** A value that is more than blanks (P-108, P-114). */
function given(value: string | undefined): string | undefined {
  return value?.trim() ? value.trim() : undefined;
}

/** An environment over another one, which is not copied: reading every variable of a process takes longer than the rest. */
function layeredEnv(below: Env, own: Env): Env {
  return Object.setPrototypeOf(own, below) as Env;
}

function nonBlank(env: Env | undefined): Env {
  return Object.fromEntries(Object.entries(env ?? {}).filter(([, value]) => given(value)));
}

function keyFromEnv(provider: Provider, env: Env): string | undefined {
  for (const name of provider.env) {
    const value = given(env[name]);
    if (value) return value;
  }
  return undefined;
}

/** Header layers, later ones win whatever their case; null stays and means "do not send" (P-112). */
export function mergeHeaders(...layers: (Headers | undefined)[]): Headers {
  const merged: Headers = {};
  for (const layer of layers) {
    for (const [name, value] of Object.entries(layer ?? {})) {
      if (value !== undefined) merged[name.toLowerCase()] = value;
    }
  }
  return merged;
}

function hasCredentialHeader(headers: Headers): boolean {
  return Boolean(
    given(headers.authorization ?? undefined) ??
      given(headers["x-api-key"] ?? undefined) ??
      given(headers["x-goog-api-key"] ?? undefined),
  );
}

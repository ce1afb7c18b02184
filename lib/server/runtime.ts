import { type Catalog, createCatalog } from "./catalog";
import { type ServerConfig, serverConfig } from "./config";
import { MemoryRunLogEngine } from "./runs/memory-log";
import { RedisRunLogEngine } from "./runs/redis/engine";
import { RunRegistry } from "./runs/registry";

/** What lives as long as the process. */
export interface Runtime {
  config: ServerConfig;
  catalog: Catalog;
  registry: RunRegistry;
}

export function createRuntime(config: ServerConfig, catalog = createCatalog(config)): Runtime {
  const { runKeepMs: keepMs, runOrphanMs: orphanMs, redisUrl } = config;
  const engine = redisUrl
    ? new RedisRunLogEngine({ url: redisUrl, keepMs })
    : new MemoryRunLogEngine();
  const registry = new RunRegistry({ engine, keepMs, orphanMs });
  return { config, catalog, registry };
}

// On the global object: a development server loads this module anew, and its runs must outlive that.
const place = globalThis as { rillRuntime?: Runtime };

/** The runtime of this process, made on first use. @throws ConfigError */
export function runtime(): Runtime {
  place.rillRuntime ??= hostedRuntime();
  return place.rillRuntime;
}

/** Puts another runtime in place, or none, so that the next use makes one. For tests. */
export function replaceRuntime(replacement: Runtime | undefined): void {
  place.rillRuntime = replacement;
}

function hostedRuntime(): Runtime {
  const made = createRuntime(serverConfig());
  // The server's own handlers end the process; readers are told before.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void made.registry.interruptAll());
  }
  return made;
}

/** Model servers on this machine, found on their usual ports. Looked for in the background, so that nobody waits for them. */

import type { Provider } from "@/lib/ai/provider";
import type { ServerConfig } from "./config";
import type { LiveModels } from "./live-models";
import { fetchWithoutRedirects } from "./outbound";

const lookMs = 2000;
const pauseMs = 5000;

export class LocalServers {
  private looking: Promise<void> | undefined;
  private lookedAt = Number.NEGATIVE_INFINITY;

  /** @param now in ms, for tests */
  constructor(
    private readonly providers: Provider[],
    private readonly live: LiveModels,
    private readonly config: Pick<ServerConfig, "loopbackOnly">,
    private readonly now: () => number = Date.now,
  ) {}

  /**
   * Looks on all ports at once, at most every few seconds, and only where the server is for this machine alone. What is
   * found is among the live models from then on, and what has gone is not. Settles when the look is over; never rejects.
   */
  look(): Promise<void> {
    if (!this.config.loopbackOnly) return Promise.resolve();
    if (!this.looking && this.now() - this.lookedAt >= pauseMs) {
      this.lookedAt = this.now();
      const locals = this.providers.filter((provider) => provider.local && provider.listModels);
      this.looking = Promise.all(locals.map((provider) => this.lookAt(provider)))
        .then(() => {})
        .finally(() => {
          this.looking = undefined;
        });
    }
    return this.looking ?? Promise.resolve();
  }

  private async lookAt(provider: Provider): Promise<void> {
    const terms = { fetch: fetchWithoutRedirects, timeoutMs: lookMs, refresh: true };
    await this.live.list(provider, terms).catch(() => this.live.forget(provider.id));
  }
}

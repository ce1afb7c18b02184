/** Names in Redis. The braces keep all keys of a run in one slot of a cluster. */
export interface RunKeys {
  id: string;
  log: string;
  state: string;
  lease: string;
  /** Where the number of the last event is published when it has changed. */
  wake: string;
}

export function runKeys(runId: string): RunKeys {
  const key = (name: string): string => `rill:{${runId}}:${name}`;
  return {
    id: key("id"),
    log: key("log"),
    state: key("state"),
    lease: key("lease"),
    wake: key("wake"),
  };
}

/** Where an instance gets its mail. */
export const instanceChannel = (instanceId: string): string => `rill:instance:${instanceId}`;

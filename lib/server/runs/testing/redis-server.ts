import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { createClient } from "redis";

export interface TestRedis {
  url: string;
  /** One command on a connection of its own. */
  command(...words: string[]): Promise<unknown>;
  stop(): Promise<void>;
}

const programs = ["redis-server", "valkey-server"];

/** A server that keeps nothing, on a free port; undefined, and a line that says so, where this machine has none. */
export async function startTestRedis(): Promise<TestRedis | undefined> {
  const program = programs.find((name) => spawnSync(name, ["--version"]).status === 0);
  if (!program) {
    console.log(`Tests on Redis are skipped: this machine has no ${programs.join(" or ")}.`);
    return undefined;
  }
  const port = await freePort();
  const child = spawn(
    program,
    ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  for await (const text of child.stdout) {
    if (String(text).includes("Ready to accept connections")) break;
  }
  child.stdout.resume();
  const url = `redis://127.0.0.1:${port}`;
  const client = createClient({ url, RESP: 2 });
  await client.connect();
  return {
    url,
    command: (...words) => client.sendCommand(words),
    async stop() {
      client.destroy();
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

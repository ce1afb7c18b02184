import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import type { ServerTool } from "../tools/server-tool";
import { McpServers } from "./mcp-servers";

const fixture = join(import.meta.dirname, "testing/fixture-server.mjs");
const stdio = { command: process.execPath, args: [fixture], env: { OWN: "1" } };

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const one of cleanUp.splice(0).reverse()) await one();
});

async function serversOf(servers: unknown): Promise<McpServers> {
  const folder = await mkdtemp(join(tmpdir(), "rill-mcp-"));
  cleanUp.push(() => rm(folder, { recursive: true }));
  const path = join(folder, "mcp.json");
  await writeFile(path, typeof servers === "string" ? servers : JSON.stringify({ servers }));
  return opened(new McpServers(path));
}

async function opened(servers: McpServers): Promise<McpServers> {
  cleanUp.push(() => servers.close());
  // A busy machine may need longer than anybody waits for.
  await servers.look();
  await servers.settled();
  return servers;
}

async function httpServer(): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, [fixture, "--http"], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  cleanUp.push(() => child.kill("SIGKILL"));
  for await (const url of createInterface({ input: child.stdout })) return { url, child };
  throw new Error("The server did not start.");
}

const ended = (child: ChildProcess) => new Promise((resolve) => child.once("exit", resolve));

function toolOf(servers: McpServers, name: string): ServerTool {
  const tool = servers.tools.find((one) => one.name === name);
  if (!tool) throw new Error(`There is no ${name}.`);
  return tool;
}

const call = (
  servers: McpServers,
  name: string,
  args: Record<string, unknown> = {},
  signal = new AbortController().signal,
) => toolOf(servers, name).execute("1", args, signal, () => {});

describe.each(["stdio", "http"])("an MCP server over %s", (kind) => {
  const start = async (): Promise<McpServers> => {
    if (kind === "stdio") return serversOf({ "my fixture": stdio });
    const { url } = await httpServer();
    return serversOf({ "my fixture": { url, headers: { authorization: "Bearer let-me-in" } } });
  };

  it("lists its tools with its name, asking by default, and runs them", async () => {
    const servers = await start();
    expect(servers.problems).toEqual([]);
    expect(toolOf(servers, "mcp_my_fixture_add_numbers")).toMatchObject({
      label: "Add (my fixture)",
      description: "Adds two numbers.",
      defaultMode: "ask",
      server: "my fixture",
      parameters: { type: "object", required: ["a", "b"] },
    });
    expect(await call(servers, "mcp_my_fixture_add_numbers", { a: 2, b: 3 })).toEqual({
      content: [{ type: "text", text: "5" }],
      isError: false,
    });
    expect(await call(servers, "mcp_my_fixture_fail")).toEqual({
      content: [{ type: "text", text: "It went wrong." }],
      isError: true,
    });
    expect((await call(servers, "mcp_my_fixture_picture")).content).toEqual([
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "text", text: "file:///a.txt\ninside" },
    ]);
  });

  it("stops a call when the run is stopped", async () => {
    const servers = await start();
    const stop = new AbortController();
    const reason = new Error("stopped");
    const waiting = call(servers, "mcp_my_fixture_wait", {}, stop.signal);
    stop.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    expect((await call(servers, "mcp_my_fixture_add_numbers", { a: 1, b: 1 })).content).toEqual([
      { type: "text", text: "2" },
    ]);
  });

  it("is a message when it dies, in the call and in the list", async () => {
    const servers = await start();
    await expect(call(servers, "mcp_my_fixture_crash")).rejects.toThrow(
      "The MCP server my fixture could not run crash",
    );
    if (kind === "http") {
      await expect(call(servers, "mcp_my_fixture_fail")).rejects.toThrow(
        /The MCP server my fixture (cannot be reached|could not run fail)/,
      );
      return;
    }
    // A process is started anew for the next call.
    expect((await call(servers, "mcp_my_fixture_add_numbers", { a: 1, b: 1 })).content).toEqual([
      { type: "text", text: "2" },
    ]);
  });
});

describe("MCP servers", () => {
  it("gives a process nothing of this server's environment but what it needs", async () => {
    process.env.RILL_TEST_SECRET = "x";
    cleanUp.push(() => delete process.env.RILL_TEST_SECRET);
    const servers = await serversOf({ one: stdio });
    const [block] = (await call(servers, "mcp_one_environment")).content;
    const names = block?.type === "text" ? block.text.split(" ") : [];
    expect(names).toContain("OWN");
    expect(names).not.toContain("RILL_TEST_SECRET");
  });

  it("goes on without the ones that cannot be reached, and says why", async () => {
    const { url, child } = await httpServer();
    const gone = ended(child);
    child.kill("SIGKILL");
    await gone;
    const { url: closed } = await httpServer();
    const servers = await serversOf({
      good: stdio,
      dead: { url },
      closed: { url: closed, headers: { authorization: "Bearer secret-of-mine" } },
      missing: { command: "no-such-program-here" },
    });
    expect(servers.tools.every((tool) => tool.server === "good")).toBe(true);
    expect(servers.tools).toHaveLength(6);
    expect(servers.problems.map(({ server }) => server)).toEqual(["dead", "closed", "missing"]);
    const [dead, refused, missing] = servers.problems.map(({ message }) => message);
    expect(dead).toBe("The MCP server dead cannot be reached: nothing answers there.");
    expect(refused).toContain("The MCP server closed cannot be reached:");
    expect(missing).toBe("The MCP server missing cannot be reached: there is no such program.");
    expect(JSON.stringify(servers.problems)).not.toContain("secret-of-mine");
  });

  it.each([
    ["no JSON", "{", "is not JSON"],
    ["no servers", "{}", "has a wrong field: servers"],
    ["neither address nor program", '{"servers":{"a":{}}}', "servers.a.url"],
    ["another scheme", '{"servers":{"a":{"url":"file:///etc/passwd"}}}', "servers.a.url"],
    ["a wrong name", '{"servers":{"a/b":{"url":"http://a"}}}', "servers.a/b"],
    ["a field of both", '{"servers":{"a":{"command":"x","url":"http://a"}}}', "servers.a"],
  ])("says what is wrong with a file that has %s", async (_kind, text, message) => {
    const servers = await serversOf(text);
    expect(servers.tools).toEqual([]);
    expect(servers.problems).toEqual([
      { server: "MCP", message: expect.stringContaining(message) },
    ]);
  });

  it("says that the file is not there, and is nothing without one", async () => {
    const servers = await opened(new McpServers("/nowhere/mcp.json"));
    expect(servers.problems[0]?.message).toBe(
      "The file of RILL_MCP_CONFIG cannot be read (ENOENT).",
    );
    const none = await opened(new McpServers(undefined));
    expect([none.tools, none.problems]).toEqual([[], []]);
  });
});

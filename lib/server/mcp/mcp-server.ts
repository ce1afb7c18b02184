import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { AgentToolResult } from "@/lib/agent/types";
import type { ServerTool } from "../tools/server-tool";
import type { McpServerConfig } from "./config";
import { toToolResult } from "./tool-result";

const connectMs = 10_000;
const callMs = 115_000;
/** A server that could not be reached is left alone for so long, unless one of its tools is called. */
const retryMs = 15_000;
const mostPages = 20;
const longestName = 64;
const toolPrefix = "mcp_";

type ListedTool = Awaited<ReturnType<Client["listTools"]>>["tools"][number];

/** One MCP server and what is known of it. Nothing here throws but a call of one of its tools. */
export class McpServer {
  /** Why it cannot be used at the moment; a sentence. */
  problem: string | undefined;
  private client: Client | undefined;
  private connecting: Promise<void> | undefined;
  private triedAt = Number.NEGATIVE_INFINITY;
  /** The last ones known: a server that is away for a moment keeps its tools. */
  private listed: ListedTool[] = [];

  constructor(
    readonly name: string,
    private readonly config: McpServerConfig,
  ) {}

  get tools(): ServerTool[] {
    return this.listed.map((tool) => this.toServerTool(tool));
  }

  /** Connects if it is not connected, and not more often than is good. Resolves in any case. */
  look(now = performance.now()): Promise<void> {
    if (this.client || (!this.connecting && now - this.triedAt < retryMs)) {
      return Promise.resolve();
    }
    return this.connect();
  }

  async settled(): Promise<void> {
    await this.connecting;
  }

  async close(): Promise<void> {
    const { client } = this;
    this.client = undefined;
    await client?.close().catch(() => {});
  }

  private connect(): Promise<void> {
    this.connecting ??= this.tryToConnect().finally(() => {
      this.triedAt = performance.now();
      this.connecting = undefined;
    });
    return this.connecting;
  }

  private async tryToConnect(): Promise<void> {
    const client = new Client({ name: "rill", version: "1" });
    client.onclose = () => {
      if (this.client !== client) return;
      this.client = undefined;
      this.problem = `The MCP server ${this.name} has closed its connection.`;
    };
    try {
      await client.connect(transportOf(this.config), { timeout: connectMs });
      this.listed = await listTools(client);
      this.client = client;
      this.problem = undefined;
    } catch (error) {
      this.problem = `The MCP server ${this.name} cannot be reached: ${reasonOf(error)}`;
      await client.close().catch(() => {});
    }
  }

  private toServerTool(tool: ListedTool): ServerTool {
    const title = tool.title ?? tool.annotations?.title ?? tool.name;
    return {
      name: toolName(this.name, tool.name),
      label: `${title} (${this.name})`,
      description: tool.description ?? title,
      parameters: tool.inputSchema as ServerTool["parameters"],
      defaultMode: "ask",
      server: this.name,
      timeoutMs: callMs + 5000,
      execute: (_toolCallId, args, signal, onUpdate) =>
        this.call(tool.name, args, signal, (message) =>
          onUpdate({ content: [{ type: "text", text: message }] }),
        ),
    };
  }

  private async call(
    name: string,
    args: Record<string, unknown>,
    signal: AbortSignal,
    onProgress: (message: string) => void,
  ): Promise<AgentToolResult> {
    if (!this.client) await this.connect();
    const { client } = this;
    if (!client) throw new Error(this.problem ?? `The MCP server ${this.name} cannot be reached.`);
    try {
      const result = await client.callTool({ name, arguments: args }, undefined, {
        signal,
        timeout: callMs,
        onprogress: ({ message }) => {
          if (message) onProgress(message);
        },
      });
      return toToolResult(result);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (isLost(error)) void this.close();
      throw new Error(`The MCP server ${this.name} could not run ${name}: ${reasonOf(error)}`);
    }
  }
}

function transportOf(config: McpServerConfig): Transport {
  if ("command" in config) {
    const { command, args = [], env = {} } = config;
    // Only what a program needs to run: this server's keys are none of its business.
    const safe = { ...getDefaultEnvironment(), ...env };
    return new StdioClientTransport({ command, args, env: safe, stderr: "ignore" });
  }
  const { url, headers } = config;
  // The SDK's class and its own interface disagree about an optional property.
  return new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { ...(headers && { headers }), redirect: "error" },
  }) as Transport;
}

async function listTools(client: Client): Promise<ListedTool[]> {
  if (!client.getServerCapabilities()?.tools) return [];
  const all: ListedTool[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages; page++) {
    const answer = await client.listTools(cursor ? { cursor } : {}, { timeout: connectMs });
    all.push(...answer.tools);
    cursor = answer.nextCursor;
    if (!cursor) break;
  }
  return all;
}

/** A name that every vendor takes, unlike that of any tool of our own. */
export function toolName(server: string, tool: string): string {
  const plain = (text: string): string => text.replace(/[^A-Za-z0-9_-]+/g, "_");
  return `${toolPrefix}${plain(server)}_${plain(tool)}`.slice(0, longestName);
}

export const isMcpTool = (name: string): boolean => name.startsWith(toolPrefix);

/** Connection errors, and sessions that the server no longer knows. */
function isLost(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return !(error instanceof Error) || error.name !== "McpError" || code === -32_000;
}

function reasonOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  const cause = (error as { cause?: { code?: unknown } }).cause?.code;
  if (code === "ENOENT") return "there is no such program.";
  if (code === "ECONNREFUSED" || cause === "ECONNREFUSED") return "nothing answers there.";
  if (code === 401 || code === 403) return "it does not let us in.";
  const text = typeof message === "string" ? message.split("\n")[0]?.slice(0, 300) : "";
  return text || "it gave no reason.";
}

import type { ServerTool } from "../tools/server-tool";
import { readMcpConfig } from "./config";
import { McpServer } from "./mcp-server";

export interface ToolProblem {
  server: string;
  /** A sentence for people. */
  message: string;
}

/** How long anybody waits for servers that do not answer, in ms. */
const waitMs = 3000;

/** The operator's MCP servers: read once from their file, connected when they are first needed. */
export class McpServers {
  private servers: McpServer[] = [];
  private fileProblem: string | undefined;
  private reading: Promise<void> | undefined;

  constructor(private readonly path: string | undefined) {}

  get tools(): ServerTool[] {
    const byName = new Map<string, ServerTool>();
    for (const tool of this.servers.flatMap((server) => server.tools)) {
      if (!byName.has(tool.name)) byName.set(tool.name, tool);
    }
    return [...byName.values()];
  }

  get problems(): ToolProblem[] {
    const ofServers = this.servers.flatMap(({ name, problem }) =>
      problem === undefined ? [] : [{ server: name, message: problem }],
    );
    return this.fileProblem === undefined
      ? ofServers
      : [{ server: "MCP", message: this.fileProblem }, ...ofServers];
  }

  /** Connects what is not connected; a server that takes long goes on by itself. Never rejects. */
  async look(): Promise<void> {
    if (!this.path) return;
    this.reading ??= this.read(this.path);
    await this.reading;
    let timer: NodeJS.Timeout | undefined;
    const longEnough = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, waitMs);
    });
    await Promise.race([Promise.all(this.servers.map((server) => server.look())), longEnough]);
    clearTimeout(timer);
  }

  /** Resolves when no connection is being made any more, however long it takes. */
  async settled(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.settled()));
  }

  async close(): Promise<void> {
    await Promise.all(this.servers.map((server) => server.close()));
  }

  private async read(path: string): Promise<void> {
    try {
      const config = await readMcpConfig(path);
      this.servers = Object.entries(config).map(([name, one]) => new McpServer(name, one));
    } catch (error) {
      this.fileProblem = error instanceof Error ? error.message : String(error);
    }
  }
}

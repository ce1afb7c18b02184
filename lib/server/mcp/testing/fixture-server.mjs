/** An MCP server of a test's own: on stdin and stdout, or over HTTP with `--http`, then it prints its address. */

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as z from "zod";

function makeServer() {
  const server = new McpServer({ name: "fixture", version: "1" });
  server.registerTool(
    "add.numbers",
    {
      title: "Add",
      description: "Adds two numbers.",
      inputSchema: { a: z.number(), b: z.number() },
    },
    async ({ a, b }) => ({ content: [{ type: "text", text: String(a + b) }] }),
  );
  server.registerTool("environment", { description: "Names of variables." }, async () => ({
    content: [{ type: "text", text: Object.keys(process.env).sort().join(" ") }],
  }));
  server.registerTool("fail", { description: "Fails." }, async () => ({
    content: [{ type: "text", text: "It went wrong." }],
    isError: true,
  }));
  server.registerTool("picture", { description: "A picture." }, async () => ({
    content: [
      { type: "image", data: "AAAA", mimeType: "image/png" },
      { type: "resource", resource: { uri: "file:///a.txt", text: "inside" } },
    ],
  }));
  server.registerTool("wait", { description: "Never ends." }, (extra) => {
    process.stderr.write("waiting\n");
    return new Promise((_resolve, reject) => {
      extra.signal.addEventListener("abort", () => reject(new Error("aborted")));
    });
  });
  server.registerTool("crash", { description: "Ends the process." }, () => process.exit(1));
  return server;
}

if (process.argv.includes("--http")) {
  /** @type {Map<string, StreamableHTTPServerTransport>} */
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    if (request.headers.authorization !== "Bearer let-me-in") {
      response.writeHead(401).end();
      return;
    }
    const known = sessions.get(String(request.headers["mcp-session-id"]));
    if (known) return known.handleRequest(request, response);
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, transport);
      },
    });
    await makeServer().connect(/** @type {any} */ (transport));
    return transport.handleRequest(request, response);
  });
  http.listen(0, "127.0.0.1", () => {
    const address = /** @type {import("node:net").AddressInfo} */ (http.address());
    process.stdout.write(`http://127.0.0.1:${address.port}/mcp\n`);
  });
} else {
  await makeServer().connect(new StdioServerTransport());
}

import { readFile } from "node:fs/promises";
import * as z from "zod";

const headers = z.record(z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/), z.string());
const httpServer = z.strictObject({
  url: z.url({ protocol: /^https?$/, error: "must be an address with http:// or https://" }),
  headers: headers.optional(),
});
const stdioServer = z.strictObject({
  command: z.string().min(1),
  args: z.array(z.string()).optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const name = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 _.-]{0,40}$/,
    "must be up to 41 letters, digits, blanks, _ . or -",
  );
const fileSchema = z.strictObject({
  servers: z.record(name, z.unknown()),
});

/** How an MCP server is reached: over HTTP, or as a process of the operator's that speaks on stdin and stdout. */
export type McpServerConfig = z.infer<typeof httpServer> | z.infer<typeof stdioServer>;

/** Reads the operator's file. Values are not repeated in errors: they may be secrets. @throws Error with a sentence */
export async function readMcpConfig(path: string): Promise<Record<string, McpServerConfig>> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new Error(`The file of RILL_MCP_CONFIG cannot be read (${error.code ?? "unknown"}).`);
  });
  return parseMcpConfig(text);
}

/** @throws Error that names the field at fault */
export function parseMcpConfig(text: string): Record<string, McpServerConfig> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    throw new Error("The file of RILL_MCP_CONFIG is not JSON.");
  }
  const { servers } = parse(fileSchema, json, []);
  return Object.fromEntries(
    Object.entries(servers).map(([key, value]) => {
      const isStdio = typeof value === "object" && value !== null && "command" in value;
      return [
        key,
        parse<z.ZodType<McpServerConfig>>(isStdio ? stdioServer : httpServer, value, [
          "servers",
          key,
        ]),
      ];
    }),
  );
}

function parse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  under: string[],
): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...under, ...(issue?.path ?? [])].join(".") || "the whole";
  throw new Error(`The file of RILL_MCP_CONFIG has a wrong field: ${path}: ${issue?.message}.`);
}

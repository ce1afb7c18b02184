/** Everything that the environment says, read and checked in this one place. A wrong value stops the start. */

import { resolve } from "node:path";
import * as z from "zod";

export interface ServerConfig {
  port: number;
  host: string;
  /** Only this machine can reach the server. */
  loopbackOnly: boolean;
  /** Names under which the server is reached besides its own, for one behind a proxy. */
  allowedHosts: string[];
  /** Absolute. */
  dataDir: string;
  accessToken?: string;
  allowPrivateHosts: boolean;
  /** How long a finished run can still be read, in ms. */
  runKeepMs: number;
  /** How long a run goes on without any reader, in ms. */
  runOrphanMs: number;
  /** Where run logs live when more than one instance serves them; may hold a password. */
  redisUrl?: string;
  /** Model requests in one run. */
  maxTurns: number;
  /** Factor on the demo's pace. */
  demoSpeed: number;
  /** The environment itself, for providers' keys and base URLs. Never logged, never sent. */
  env: Record<string, string | undefined>;
}

/** A value of the environment that cannot be used. The message names the variable and what it may be. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ConfigError";
  }
}

const wholeNumber = (from: number, to: number) =>
  z.coerce.number(`must be a whole number from ${from} to ${to}`).int().min(from).max(to);

const yes = ["1", "true", "yes", "on"];
const no = ["0", "false", "no", "off"];
const flag = z
  .string()
  .toLowerCase()
  .refine((value) => [...yes, ...no].includes(value), "must be 1 or 0")
  .transform((value) => yes.includes(value));

const hostName = z.string().regex(/^[A-Za-z0-9.:_-]+$/, "must be a host name or an address");
const day = 86_400_000;

const schema = z.object({
  PORT: wholeNumber(0, 65_535).default(3000),
  RILL_HOST: hostName.default("127.0.0.1"),
  RILL_ALLOWED_HOSTS: z
    .string()
    .transform((value) => value.split(",").map((name) => name.trim().toLowerCase()))
    .pipe(z.array(hostName))
    .default([]),
  RILL_DATA_DIR: z.string().default(".data"),
  RILL_ACCESS_TOKEN: z
    .string()
    .min(8, "must have at least 8 characters")
    .regex(/^[\x21-\x7e]+$/, "must be printable ASCII without blanks")
    .optional(),
  RILL_ALLOW_PRIVATE_HOSTS: flag.default(false),
  RILL_RUN_KEEP_MS: wholeNumber(0, 20 * day).default(15 * 60_000),
  RILL_RUN_ORPHAN_MS: wholeNumber(1000, 20 * day).default(10 * 60_000),
  RILL_MAX_TURNS: wholeNumber(1, 1000).default(50),
  REDIS_URL: z
    .string()
    .refine(
      (value) => URL.canParse(value) && /^rediss?:$/.test(new URL(value).protocol),
      "must be an address that starts with redis:// or rediss://",
    )
    .optional(),
  RILL_DEMO_SPEED: z.coerce
    .number("must be a number from 0.1 to 10000")
    .min(0.1)
    .max(10_000)
    .default(1),
});

/** @throws ConfigError */
export function readConfig(env: Record<string, string | undefined>): ServerConfig {
  const given = Object.fromEntries(
    Object.keys(schema.shape)
      .map((name) => [name, env[name]?.trim()])
      .filter(([, value]) => value),
  );
  const parsed = schema.safeParse(given);
  if (!parsed.success) throw new ConfigError(parsed.error.issues.map(sentence).join(" "));
  checkBaseUrls(env);
  const values = parsed.data;
  const config: ServerConfig = {
    port: values.PORT,
    host: values.RILL_HOST,
    loopbackOnly: isLoopbackName(values.RILL_HOST) && values.RILL_ALLOWED_HOSTS.length === 0,
    allowedHosts: values.RILL_ALLOWED_HOSTS,
    dataDir: resolve(values.RILL_DATA_DIR),
    allowPrivateHosts: values.RILL_ALLOW_PRIVATE_HOSTS,
    runKeepMs: values.RILL_RUN_KEEP_MS,
    runOrphanMs: values.RILL_RUN_ORPHAN_MS,
    maxTurns: values.RILL_MAX_TURNS,
    demoSpeed: values.RILL_DEMO_SPEED,
    env,
  };
  if (values.REDIS_URL) config.redisUrl = values.REDIS_URL;
  if (values.RILL_ACCESS_TOKEN) config.accessToken = values.RILL_ACCESS_TOKEN;
  return config;
}

/** Whether a host name means this machine only. Takes IPv6 with or without brackets. */
export function isLoopbackName(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  return (
    name === "localhost" ||
    name.endsWith(".localhost") ||
    name === "::1" ||
    /^127(\.\d{1,3}){3}$/.test(name)
  );
}

function checkBaseUrls(env: Record<string, string | undefined>): void {
  for (const name of baseUrlVariables) {
    const value = env[name]?.trim();
    if (!value) continue;
    if (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol)) continue;
    throw new ConfigError(`${name} must be an address that starts with http:// or https://.`);
  }
}

const baseUrlVariables = ["OPENAI_BASE_URL", "ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL"];

function sentence(issue: z.core.$ZodIssue): string {
  const bounds =
    issue.code === "too_small"
      ? `must be at least ${issue.minimum}`
      : issue.code === "too_big"
        ? `must be at most ${issue.maximum}`
        : issue.message;
  const what = issue.message.startsWith("must ") ? issue.message : bounds;
  return `${String(issue.path[0])} ${what}.`;
}

const place = globalThis as { rillConfig?: ServerConfig };

/** The configuration of this process. @throws ConfigError */
export function serverConfig(): ServerConfig {
  place.rillConfig ??= readConfig(process.env);
  return place.rillConfig;
}

/** Puts another configuration in place, or none, so that the next use reads the environment. For tests. */
export function replaceConfig(replacement: ServerConfig | undefined): void {
  place.rillConfig = replacement;
}

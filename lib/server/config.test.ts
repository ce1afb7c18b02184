import { describe, expect, it } from "vitest";
import { ConfigError, isLoopbackName, readConfig } from "./config";

describe("readConfig", () => {
  it("needs nothing", () => {
    expect(readConfig({})).toMatchObject({
      port: 3000,
      host: "127.0.0.1",
      loopbackOnly: true,
      allowPrivateHosts: false,
      runKeepMs: 900_000,
      runOrphanMs: 600_000,
      maxTurns: 50,
    });
  });

  it("reads what is set and takes blanks as unset", () => {
    const config = readConfig({
      PORT: "8080",
      RILL_HOST: "0.0.0.0",
      RILL_ALLOWED_HOSTS: "rill.example, Chat.Example:444",
      RILL_ACCESS_TOKEN: "open sesame".replace(" ", "-"),
      RILL_ALLOW_PRIVATE_HOSTS: "true",
      RILL_RUN_KEEP_MS: " ",
      RILL_MAX_TURNS: "5",
      REDIS_URL: "rediss://user:secret@redis.example:6380/2",
    });
    expect(config).toMatchObject({
      port: 8080,
      loopbackOnly: false,
      allowedHosts: ["rill.example", "chat.example:444"],
      accessToken: "open-sesame",
      allowPrivateHosts: true,
      runKeepMs: 900_000,
      maxTurns: 5,
      redisUrl: "rediss://user:secret@redis.example:6380/2",
    });
  });

  it("is not for this machine only when a proxy brings visitors", () => {
    expect(readConfig({ RILL_ALLOWED_HOSTS: "rill.example" }).loopbackOnly).toBe(false);
  });

  it.each([
    ["PORT", "abc"],
    ["PORT", "70000"],
    ["RILL_HOST", "http://x"],
    ["RILL_ACCESS_TOKEN", "short"],
    ["RILL_ALLOW_PRIVATE_HOSTS", "perhaps"],
    ["RILL_RUN_KEEP_MS", "-1"],
    ["RILL_RUN_ORPHAN_MS", "soon"],
    ["RILL_MAX_TURNS", "0"],
    ["REDIS_URL", "redis.example:6379"],
    ["REDIS_URL", "http://redis.example"],
    ["OPENAI_BASE_URL", "api.openai.com"],
    ["GOOGLE_GEMINI_BASE_URL", "ftp://x"],
  ])("stops at a wrong %s (%s) with a sentence that names it", (name, value) => {
    const read = () => readConfig({ [name]: value });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(new RegExp(`^${name} must .+\\.$`));
  });
});

describe("isLoopbackName", () => {
  it.each(["localhost", "LOCALHOST.", "app.localhost", "127.0.0.1", "127.9.9.9", "::1", "[::1]"])(
    "takes %s",
    (name) => {
      expect(isLoopbackName(name)).toBe(true);
    },
  );
  it.each(["0.0.0.0", "localhost.example.com", "127.0.0.1.example.com", "::", "10.0.0.1"])(
    "does not take %s",
    (name) => {
      expect(isLoopbackName(name)).toBe(false);
    },
  );
});

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const fixtures = "scripts/wire-cases/fixtures";

interface Line {
  case: string;
  events: { type: string }[];
  message: { stopReason: string; content: { type: string }[] };
  error?: string;
  url: string;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}

function run(
  command: "replay" | "payload",
  ...args: string[]
): { status: number | null; lines: Line[]; stderr: string } {
  const result = spawnSync(
    process.execPath,
    ["scripts/run-ts.mjs", `scripts/${command}.ts`, ...args],
    { encoding: "utf8" },
  );
  const lines = result.stdout.split("\n").filter(Boolean);
  return {
    status: result.status,
    stderr: result.stderr,
    lines: lines.map((line) => JSON.parse(line) as Line),
  };
}

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rill-replay-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("replay", () => {
  it("prints each case's events and message in order, and ends with 0 though an answer is an error", () => {
    const names = ["openai-completions/tool-call", "anthropic-messages/overloaded"];
    const { status, lines } = run("replay", ...names.map((name) => `${fixtures}/${name}/`));
    expect(status).toBe(0);
    expect(lines.map((line) => line.case)).toEqual(names);
    expect(lines.map((line) => line.message.stopReason)).toEqual(["toolUse", "error"]);
    expect(lines[0]?.message.content.map((block) => block.type)).toEqual([
      "thinking",
      "text",
      "toolCall",
    ]);
    expect(lines[0]?.events[0]).toEqual({ type: "start" });
    expect(lines[0]?.events.at(-1)?.type).toBe("done");
    expect(JSON.stringify(lines)).not.toContain('"partial"');
  });

  it("gives the same message in chunks of one byte", () => {
    const path = `${fixtures}/anthropic-messages/tool-call`;
    const content = (...args: string[]): unknown =>
      run("replay", path, ...args).lines[0]?.message.content;
    const whole = content();
    expect(whole).toHaveLength(3);
    expect(content("--chunk", "1")).toEqual(whole);
  });

  it("goes on after a folder that holds no case, and ends with 1", () => {
    const { status, lines } = run("replay", folder, `${fixtures}/openai-responses/wrong-key`);
    expect(status).toBe(1);
    expect(lines[0]).toEqual({ case: folder, error: expect.stringContaining("meta.json") });
    expect(lines[1]?.message.stopReason).toBe("error");
  });

  it("ends with 2 and the usage when the arguments make no sense", () => {
    expect(run("replay").status).toBe(2);
    const { status, lines, stderr } = run("replay", folder, "--chunk", "none");
    expect({ status, lines }).toEqual({ status: 2, lines: [] });
    expect(stderr).toContain("--chunk takes a whole number above 0");
  });
});

describe("payload", () => {
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  const target = { api: "openai-completions", provider: "openai", model: "gpt-x" };

  it("prints the request that would be sent", () => {
    write("target.json", JSON.stringify(target));
    // Half of a surrogate pair, which only a text file can carry.
    write(
      "messages.json.txt",
      '{"systemPrompt":"Be brief.","messages":[{"role":"user","content":"cut \\ud83d","timestamp":1}],"options":{"maxTokens":100}}',
    );
    const { status, lines, stderr } = run("payload", folder);
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(lines[0]).toMatchObject({
      case: folder,
      url: "https://api.openai.com/v1/chat/completions",
      headers: { authorization: "[redacted]", "content-type": "application/json" },
      body: { model: "gpt-x", stream: true },
    });
    expect(JSON.stringify(lines[0]?.body.messages)).toContain("Be brief.");
    expect(JSON.stringify(lines)).not.toContain("test-key");
  });

  it("tells why there is no request, and ends with 1", () => {
    cpSync(`${fixtures}/openai-responses/wrong-key`, folder, { recursive: true });
    const { status, lines } = run("payload", folder);
    expect(status).toBe(1);
    expect(lines).toEqual([{ case: folder, error: expect.stringContaining("messages.json") }]);
  });
});

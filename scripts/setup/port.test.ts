import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { isNodeNewEnough, requireNode } from "./node-version.mjs";
import { freePort, readPort, requireFreePort } from "./port.mjs";

describe("the port", () => {
  it("is what PORT says, or the usual one", () => {
    expect(readPort(undefined, 3000)).toBe(3000);
    expect(readPort(" ", 3000)).toBe(3000);
    expect(readPort("8080", 3000)).toBe(8080);
  });

  it.each(["abc", "-1", "65536", "80.5"])("cannot be %s", (value) => {
    expect(() => readPort(value, 3000)).toThrow(
      `PORT must be a whole number from 0 to 65535, and it is "${value}".`,
    );
  });

  it("that is taken is told with the way out", async () => {
    const port = await freePort();
    await requireFreePort(port, "127.0.0.1");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    await expect(requireFreePort(port, "127.0.0.1")).rejects.toThrow(
      `Port ${port} is in use. Stop what listens there, or choose another port: PORT=${port + 1} npm start`,
    );
    await new Promise((resolve) => server.close(resolve));
  });

  it("on an address that is not ours names RILL_HOST", async () => {
    // 192.0.2.0/24 is for documentation: no machine has it.
    await expect(requireFreePort(0, "192.0.2.1")).rejects.toThrow(
      'RILL_HOST is "192.0.2.1", which is not an address of this machine.',
    );
  });
});

describe("the version of Node", () => {
  it.each([
    ["20.19.0", true],
    ["20.20.2", true],
    ["24.0.0", true],
    ["20.18.9", false],
    ["18.20.0", false],
  ])("%s: %s", (version, enough) => {
    expect(isNodeNewEnough(version)).toBe(enough);
  });

  it("that is too old is told what to do", () => {
    expect(() => requireNode("18.20.0")).toThrow(
      "Rill needs Node.js 20.19 or newer, and this is 18.20.0.",
    );
  });
});

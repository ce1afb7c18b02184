import { expect, it } from "vitest";
import { once } from "./once.ts";

it("loads once, and again after a failure", async () => {
  const results = [new Error("offline"), "loaded", "never asked for"];
  const load = once(async () => {
    const next = results.shift();
    if (next instanceof Error) throw next;
    return next;
  });
  await expect(load()).rejects.toThrow("offline");
  expect(await Promise.all([load(), load()])).toEqual(["loaded", "loaded"]);
  expect(await load()).toBe("loaded");
});

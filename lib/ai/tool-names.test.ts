import { describe, expect, it } from "vitest";
import { createToolNames } from "./tool-names.ts";

describe("createToolNames", () => {
  it("keeps plain names and gives every other one a plain name of its own", () => {
    const names = createToolNames(["a_b", "a.b", "a b", "", "1st", `${"n".repeat(70)}!`]);
    const vendor = ["a_b", "a.b", "a b", "", "1st", `${"n".repeat(70)}!`].map(names.toVendor);
    expect(vendor[0]).toBe("a_b");
    expect(vendor[4]).toBe("1st");
    expect(new Set(vendor).size).toBe(6);
    for (const name of vendor) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(vendor.map(names.fromVendor)).toContain("a.b");
  });

  it("puts an underscore in front where a letter must be first", () => {
    const names = createToolNames(["1st", "-x", "_1st"], { letterFirst: true });
    expect(names.toVendor("_1st")).toBe("_1st");
    expect(names.toVendor("-x")).toBe("_-x");
    expect(names.toVendor("1st")).toMatch(/^_1st_[a-z0-9]{8}$/);
    expect(names.fromVendor(names.toVendor("1st"))).toBe("1st");
  });
});

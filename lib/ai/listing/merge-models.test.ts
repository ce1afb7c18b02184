import { describe, expect, it } from "vitest";
import { testModel } from "../testing/run-stream.ts";
import { mergeModels } from "./merge-models.ts";

const model = (id: string, name: string, type?: string) => ({
  ...testModel({ api: "a", id, name, baseUrl: "https://a.example" }),
  ...(type && { type }),
});

describe("mergeModels (P-124)", () => {
  it("replaces a model of the same type and id in its place, and appends the others", () => {
    const merged = mergeModels(
      [model("a", "old a"), model("b", "old b"), model("c", "image c", "image")],
      [model("new", "new"), model("b", "live b", "chat"), model("c", "chat c")],
    );
    expect(merged.map(({ name }) => name)).toEqual(["old a", "live b", "image c", "new", "chat c"]);
  });
});

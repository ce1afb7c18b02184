import { describe, expect, it } from "vitest";
import { toolDetails } from "./tool-details";

describe("what a card shows of a result", () => {
  it.each([
    ["update_plan", { plan: [{ text: "Look", status: "done" }] }, "plan"],
    [
      "web_search",
      { engine: "x", results: [{ title: "a", url: "https://a", snippet: "" }] },
      "search",
    ],
    ["fetch_url", { url: "https://a", status: 200, mediaType: "text/html", length: 5 }, "page"],
    ["run_javascript", { console: [{ level: "log", text: "1" }], value: "2" }, "program"],
  ])("%s", (name, details, kind) => {
    expect(toolDetails(name, details)?.kind).toBe(kind);
    expect(toolDetails("other", details)).toBeUndefined();
  });

  it.each([undefined, null, {}, { outcome: "denied" }, { plan: [{ text: 5 }] }])(
    "is the text alone for %j",
    (details) => {
      expect(toolDetails("update_plan", details)).toBeUndefined();
    },
  );
});

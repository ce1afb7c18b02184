import { describe, expect, it } from "vitest";
import { imageSource, safeHref } from "./safe-url";

describe("addresses in messages", () => {
  it.each(["https://example.com/a?b=1#c", "http://localhost:8080/", "mailto:someone@example.com"])(
    "%s may be followed",
    (url) => {
      expect(safeHref(url)).toBe(url);
    },
  );

  it.each([
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\nscript:alert(1)",
    "\u0001javascript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,<script>1</script>",
    "vbscript:x",
    "blob:https://example.com/1",
    "file:///etc/passwd",
    "//evil.example",
    "/settings",
    "settings",
    "",
  ])("%j is not a link", (url) => {
    expect(safeHref(url)).toBeUndefined();
  });

  it("shows inline images, asks before remote ones, and refuses the rest", () => {
    expect(imageSource("data:image/png;base64,AAAA").kind).toBe("inline");
    expect(imageSource("data:image/svg+xml;base64,AAAA").kind).toBe("refused");
    expect(imageSource("javascript:1").kind).toBe("refused");
    expect(imageSource("https://pics.example/a.png?x=1")).toEqual({
      kind: "remote",
      url: "https://pics.example/a.png?x=1",
      host: "pics.example",
    });
  });
});

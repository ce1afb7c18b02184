import { describe, expect, it } from "vitest";
import { commonImageTypes, sendableImage } from "./image-data.ts";
import type { ImageContent } from "./types.ts";

const image = (mimeType: string, data: string): ImageContent => ({ type: "image", mimeType, data });

describe("sendableImage", () => {
  it("leaves a good image as it is", () => {
    const good = image("image/png", "iVBORw==");
    expect(sendableImage(good, commonImageTypes)).toBe(good);
  });

  it.each([
    ["a data URL", image("", "data:image/webp;base64,AAAA"), image("image/webp", "AAAA")],
    ["a data URL and a type", image("image/png", "data:;base64,AAAA"), image("image/png", "AAAA")],
    ["another name of JPEG", image("IMAGE/JPG; q=1", "AAAA"), image("image/jpeg", "AAAA")],
    ["no padding", image("image/png", "AAA"), image("image/png", "AAA=")],
    ["lines", image("image/png", "AAAA\r\nAA==\n"), image("image/png", "AAAAAA==")],
    ["the web's alphabet", image("image/png", "-_-_"), image("image/png", "+/+/")],
  ])("puts right: %s", (_case, given, sent) => {
    expect(sendableImage(given, commonImageTypes)).toEqual(sent);
  });

  it.each([
    image("image/svg+xml", "AAAA"),
    image("", "AAAA"),
    image("image/png", ""),
    image("image/png", "AAAAA"),
    image("image/png", "not base64!"),
    image("image/png", undefined as unknown as string),
  ])("gives up %o", (given) => {
    expect(sendableImage(given, commonImageTypes)).toBeUndefined();
  });
});

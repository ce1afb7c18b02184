import { expect, it } from "vitest";
import { safeFileName } from "./save-file";

it.each([
  ["notes.md", "notes.md"],
  ["../../etc/passwd", "-..-etc-passwd"],
  ['a:b*c?"<d>|.txt', "a-b-c---d--.txt"],
  ["invoice\u202efdp.exe", "invoicefdp.exe"],
  ["line\nbreak\u0000.txt", "linebreak.txt"],
  ["con", "file-con"],
  ["NUL.txt", "file-NUL.txt"],
  ["...", "file-"],
  ["会话.md", "会话.md"],
])("makes a file name of %j that every system takes", (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});

it("keeps the ending of a long name", () => {
  expect(safeFileName(`${"x".repeat(300)}.json`)).toBe(`${"x".repeat(115)}.json`);
});

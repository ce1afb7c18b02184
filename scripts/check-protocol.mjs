/** Fails when docs/protocol.md leaves a number out or names a test that is not there: `node scripts/check-protocol.mjs`. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { findGaps } from "./protocol/find-gaps.mjs";
import { protocolNumbers } from "./protocol/numbers.mjs";
import { root } from "./setup/root.mjs";

const document = readFileSync(join(root, "docs/protocol.md"), "utf8");
const gaps = findGaps(document, protocolNumbers, root);
for (const gap of gaps) console.error(gap);
if (gaps.length > 0) {
  console.error(`docs/protocol.md has ${gaps.length} gaps.`);
  process.exitCode = 1;
}

/** Fails on every import that goes against the direction rule: `node scripts/check-imports.mjs [folder]`. */

import { findViolations } from "./imports/find-violations.mjs";
import { root } from "./setup/root.mjs";

const violations = findViolations(process.argv[2] ?? root);
for (const violation of violations) console.error(violation);
if (violations.length > 0) {
  console.error(
    `${violations.length} imports break the direction rule (scripts/imports/rules.mjs).`,
  );
  process.exitCode = 1;
}

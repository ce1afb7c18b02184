import { Explained } from "./explain.mjs";

const oldest = { major: 20, minor: 19 };

/**
 * @param {string} version as in `process.versions.node`
 * @returns {boolean}
 */
export function isNodeNewEnough(version) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > oldest.major || (major === oldest.major && minor >= oldest.minor);
}

/** Fails with a sentence when this Node is too old. */
export function requireNode(version = process.versions.node) {
  if (isNodeNewEnough(version)) return;
  throw new Explained(
    `Rill needs Node.js ${oldest.major}.${oldest.minor} or newer, and this is ${version}. Install a newer one from https://nodejs.org and start again.`,
  );
}

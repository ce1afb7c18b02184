/**
 * Which part of the house may import which. Arrows run one way: app, components -> browser | server -> run -> agent -> ai.
 * share and inspect are pure and stand on run, agent and ai. The lists name everything that is allowed; the rest fails.
 */

/**
 * @typedef {object} Zone
 * @property {string} folder
 * @property {string[]} mayImport folders of the project, its own included
 * @property {boolean} [relativeOnly] whether `@/` is kept out, so that the folder can be published alone
 * @property {boolean} [neutral] runs in Node and in a browser, so it takes no module of Node
 * @property {boolean} [plain] knows nothing of React or Next
 */

const pure = ["lib/share", "lib/inspect", "lib/run", "lib/agent", "lib/ai"];

/** @type {Zone[]} */
export const zones = [
  { folder: "lib/ai", mayImport: ["lib/ai"], relativeOnly: true, neutral: true, plain: true },
  {
    folder: "lib/agent",
    mayImport: ["lib/agent", "lib/ai"],
    relativeOnly: true,
    neutral: true,
    plain: true,
  },
  {
    folder: "lib/run",
    mayImport: ["lib/run", "lib/agent", "lib/ai"],
    neutral: true,
    plain: true,
  },
  { folder: "lib/share", mayImport: pure, plain: true },
  { folder: "lib/inspect", mayImport: pure, neutral: true, plain: true },
  { folder: "lib/server", mayImport: ["lib/server", ...pure] },
  { folder: "lib/browser", mayImport: ["lib/browser", ...pure], neutral: true },
  // Components are sent to the browser, so what only a server may see is for app/ to fetch and hand down.
  { folder: "components", mayImport: ["components", "lib/browser", ...pure], neutral: true },
  { folder: "app", mayImport: ["app", "components", "lib", "package.json"] },
];

/** Tests, and folders that serve them alone. They may use more, and nothing that ships may use them. */
export const testPath = /\.test\.[cm]?[jt]sx?$|\/testing\//;
export const testSupport = ["scripts"];

/** Vendors' SDKs, and the only folders that may load them; a bench measures them beside ours. */
export const vendorSdks = ["openai", "@anthropic-ai/sdk", "@google/genai"];
export const vendorSdkFolders = ["lib/ai/apis", "bench/adapters"];

export const frameworks = ["react", "react-dom", "next"];

import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    // A test that needs a document says so itself: // @vitest-environment happy-dom
    environment: "node",
    include: ["{app,components,lib,scripts}/**/*.test.{ts,tsx}"],
    // Never what a test measures: a machine that does other things beside may be slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});

import { defineConfig } from "vitest/config";

export default defineConfig({
  resolve: { alias: { "@": import.meta.dirname } },
  test: {
    // A test that needs a document says so itself: // @vitest-environment happy-dom
    environment: "node",
    include: ["{app,components,lib,scripts}/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    unstubEnvs: true,
    unstubGlobals: true,
  },
});

import { defineConfig, devices } from "@playwright/test";
import { chromiumFlags, findChromium } from "./scripts/setup/chromium.mjs";

// Kept in the environment, so that the workers, which read this file too, need not search again.
const chromium = process.env.RILL_CHROMIUM || findChromium();
if (chromium) process.env.RILL_CHROMIUM = chromium;

/** Each worker starts an app and a vendor of its own: see e2e/support/test.ts. */
export default defineConfig({
  testDir: "e2e",
  globalSetup: "./e2e/support/global-setup.ts",
  workers: 2,
  fullyParallel: false,
  retries: 0,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: "list",
  projects: [{ name: "chromium", use: { ...devices["Desktop Chrome"] } }],
  use: {
    launchOptions: { executablePath: chromium, args: chromiumFlags },
    trace: "retain-on-failure",
    screenshot: "only-on-failure",
  },
});

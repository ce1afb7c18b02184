/**
 * Playwright's `test` with a vendor and Rill itself, one pair for each worker, so that workers share nothing. `page.goto("/")`
 * opens Rill; `vendor` scripts what the vendors answer and shows what they were asked; it is reset before each test.
 */

import { test as base } from "@playwright/test";
import { ReplayServer } from "@/scripts/replay-server";
import { type AppServer, startApp } from "./app-server";

interface WorkerFixtures {
  vendor: ReplayServer;
  app: AppServer;
}

export const test = base.extend<{ freshVendor: undefined }, WorkerFixtures>({
  vendor: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from this pattern.
    async ({}, use) => {
      const vendor = await ReplayServer.start();
      await use(vendor);
      await vendor.stop();
    },
    { scope: "worker" },
  ],
  app: [
    async ({ vendor }, use) => {
      const app = await startApp(vendor);
      await use(app);
      await app.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ app }, use) => use(app.url),
  freshVendor: [
    async ({ vendor }, use) => {
      vendor.reset();
      await use(undefined);
    },
    { auto: true },
  ],
});

export { expect } from "@playwright/test";

import type { Metadata } from "next";

export const metadata: Metadata = { title: "Settings · Rill" };

/** Settings are in the browser, so the shell draws them. */
export default function SettingsPage() {
  return null;
}

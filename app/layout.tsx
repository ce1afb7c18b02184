import type { Metadata, Viewport } from "next";
import { headers } from "next/headers";
import type { ReactNode } from "react";
import { firstPaintScript } from "@/components/shell/first-paint";
import "./globals.css";

export const metadata: Metadata = {
  title: "Rill",
  description: "A chat over every large model, whose event stream lies in plain sight.",
  applicationName: "Rill",
  referrer: "no-referrer",
};

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  viewportFit: "cover",
  interactiveWidget: "resizes-content",
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#fcfdfd" },
    { media: "(prefers-color-scheme: dark)", color: "#14191b" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  return (
    // The script below changes the element's attributes before React sees them.
    <html lang="en" suppressHydrationWarning>
      <head>
        <script nonce={nonce} suppressHydrationWarning>
          {firstPaintScript}
        </script>
      </head>
      <body>{children}</body>
    </html>
  );
}

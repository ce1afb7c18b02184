import type { ReactNode } from "react";
import { AppShell } from "@/components/shell/app-shell";

/** One shell for all addresses, so that going from one to another remounts nothing. */
export default function AppLayout({ children }: { children: ReactNode }) {
  return <AppShell>{children}</AppShell>;
}

import type { NextRequest } from "next/server";
import { guardPage } from "@/lib/server/guard-page";

export function proxy(request: NextRequest): Response {
  return guardPage(request);
}

export const config = {
  matcher: ["/((?!api/|_next/static|_next/image|_next/webpack-hmr).*)"],
};

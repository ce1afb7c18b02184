import type { MouseEvent } from "react";
import { conversationOf, isChat } from "./addresses";

/** What an address of the shell shows. */
export type View = { page: "chat"; id?: string } | { page: "settings" };

export function viewOf(pathname: string): View {
  if (pathname === "/settings") return { page: "settings" };
  const id = conversationOf(pathname);
  return id === undefined ? { page: "chat" } : { page: "chat", id };
}

/** Goes to an address of the shell without asking the server; the router follows the browser's history. */
export function navigate(path: string, how: "push" | "replace" = "push"): void {
  if (how === "push") window.history.pushState(null, "", path);
  else window.history.replaceState(null, "", path);
}

/**
 * For the box around all links: a plain click on a link to one of the shell's own addresses stays in the page, everything
 * else does what browsers do.
 */
export function onLinkClick(event: MouseEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  if (!link || link.target || link.origin !== window.location.origin) return;
  if (!isShellPath(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}

const isShellPath = (path: string): boolean => path === "/settings" || isChat(path);

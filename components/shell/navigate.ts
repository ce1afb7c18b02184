import type { MouseEvent } from "react";
import { useConversation } from "@/lib/browser/stores/conversation";
import { conversationOf, isChat, NEW_CHAT, SETTINGS } from "./addresses";

/** What an address of the shell shows. */
export type View = { page: "chat"; id?: string } | { page: "settings" };

export function viewOf(pathname: string): View {
  if (pathname === SETTINGS) return { page: "settings" };
  const id = conversationOf(pathname);
  return id === undefined ? { page: "chat" } : { page: "chat", id };
}

/**
 * Goes to an address of the shell. All that it shows is in the browser, so the server is not asked, and it works without
 * a network; the router follows the browser's history.
 */
export function navigate(address: string, how: "push" | "replace" = "push"): void {
  if (how === "push") window.history.pushState(null, "", address);
  else window.history.replaceState(null, "", address);
}

/** An empty conversation with the cursor in its field. */
export function newChat(): void {
  void useConversation.getState().open(undefined);
  if (window.location.pathname !== NEW_CHAT) navigate(NEW_CHAT);
  requestAnimationFrame(focusComposer);
}

export function focusComposer(): void {
  document.querySelector<HTMLElement>(".composer-field")?.focus();
}

/**
 * For the box around all links: a plain click on one of the shell's own addresses stays in the page, everything else does
 * what browsers do.
 */
export function onLinkClick(event: MouseEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.button !== 0) return;
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = (event.target as Element).closest<HTMLAnchorElement>("a[href]");
  if (!link || link.target || link.origin !== window.location.origin) return;
  if (link.pathname !== SETTINGS && !isChat(link.pathname)) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}

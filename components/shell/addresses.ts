/** Addresses of the pages. */

export const NEW_CHAT = "/";
export const SETTINGS = "/settings";

export function conversationAddress(id: string): string {
  return `/c/${encodeURIComponent(id)}`;
}

/** The conversation that an address shows; undefined for a new one. */
export function conversationOf(pathname: string): string | undefined {
  const id = /^\/c\/([^/]+)\/?$/.exec(pathname)?.[1];
  if (id === undefined) return undefined;
  try {
    return decodeURIComponent(id);
  } catch {
    return id;
  }
}

/** Whether an address shows a conversation, a new one included. */
export function isChat(pathname: string): boolean {
  return pathname === NEW_CHAT || conversationOf(pathname) !== undefined;
}

/** The settings, at a provider's fields when it is named. */
export function settingsAddress(providerId?: string): string {
  return providerId ? `/settings?provider=${encodeURIComponent(providerId)}` : "/settings";
}

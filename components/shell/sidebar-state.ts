/**
 * Whether the sidebar is shown on a wide screen. Kept as an attribute of the document, set before the first picture
 * (first-paint.ts), so that the page does not jump when it comes alive.
 */
export const SIDEBAR_KEY = "rill-sidebar";
export const NARROW = "(max-width: 55.99rem)";

export function isNarrow(): boolean {
  return window.matchMedia(NARROW).matches;
}

export function toggleSidebar(): void {
  const { dataset } = document.documentElement;
  const hide = dataset.sidebar !== "hidden";
  if (hide) dataset.sidebar = "hidden";
  else delete dataset.sidebar;
  try {
    if (hide) localStorage.setItem(SIDEBAR_KEY, "hidden");
    else localStorage.removeItem(SIDEBAR_KEY);
  } catch {
    // A window without storage forgets it.
  }
}

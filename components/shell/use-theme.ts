"use client";

import { useEffect } from "react";
import { useSettings } from "@/lib/browser/stores/settings";

/** Puts the chosen theme on the page, and where the next page finds it before it is drawn. */
export function useTheme(): void {
  const theme = useSettings((state) => state.theme);
  const loaded = useSettings((state) => state.loaded);
  useEffect(() => {
    if (!loaded) return;
    const root = document.documentElement;
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
    try {
      if (theme === "system") localStorage.removeItem("rill-theme");
      else localStorage.setItem("rill-theme", theme);
    } catch {
      // Only the first paint of the next page depends on it.
    }
  }, [theme, loaded]);
}

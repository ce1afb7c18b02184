"use client";

import { useEffect } from "react";
import { useSettings } from "@/lib/browser/stores/settings";
import { THEME_KEY } from "./first-paint";

/** Gives the page the chosen theme, and writes it where the next page finds it before it draws. */
export function ThemeSync() {
  const theme = useSettings((state) => state.theme);
  const loaded = useSettings((state) => state.loaded);
  useEffect(() => {
    if (!loaded) return;
    const { dataset } = document.documentElement;
    if (theme === "system") delete dataset.theme;
    else dataset.theme = theme;
    try {
      if (theme === "system") localStorage.removeItem(THEME_KEY);
      else localStorage.setItem(THEME_KEY, theme);
    } catch {
      // The setting itself is stored elsewhere.
    }
  }, [theme, loaded]);
  return null;
}

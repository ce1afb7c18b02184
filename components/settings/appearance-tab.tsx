"use client";

import { Monitor, Moon, Sun } from "lucide-react";
import { type GeneralSettings, useSettings } from "@/lib/browser/stores/settings";
import { SavingNote, useSaving } from "./saving-note";

const themes: { value: GeneralSettings["theme"]; label: string; icon: typeof Sun }[] = [
  { value: "system", label: "As the system", icon: Monitor },
  { value: "light", label: "Light", icon: Sun },
  { value: "dark", label: "Dark", icon: Moon },
];

export function AppearanceTab() {
  const theme = useSettings((state) => state.theme);
  const set = useSettings((state) => state.set);
  const saving = useSaving();
  return (
    <fieldset className="space-y-3">
      <legend className="mb-2 font-medium">Theme</legend>
      <div className="grid gap-3 sm:grid-cols-3">
        {themes.map(({ value, label, icon: Icon }) => (
          <label
            key={value}
            className="flex cursor-pointer items-center gap-3 rounded-2xl border border-line bg-raised p-4 has-checked:border-accent has-checked:bg-accent-soft"
          >
            <input
              type="radio"
              name="theme"
              className="size-4 accent-accent"
              checked={theme === value}
              onChange={() => saving.run(() => set({ theme: value }))}
            />
            <Icon aria-hidden size={18} />
            <span className="text-sm font-medium">{label}</span>
          </label>
        ))}
      </div>
      <SavingNote error={saving.error} />
    </fieldset>
  );
}

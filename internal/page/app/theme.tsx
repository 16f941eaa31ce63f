/** Light, dark, or as the system has it; remembered where the browser lets us. */
import { useState } from "preact/hooks";

type Theme = "system" | "light" | "dark";
const key = "deeprepo-theme";

function remembered(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // a page from a file may have no storage
  }
}

/** Sets the theme that was chosen before; once, at the start. */
export function startTheme(): void {
  apply(remembered());
}

function apply(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
  dispatchEvent(new Event("themechange"));
}

/** Chooses the theme. */
export function ThemeSwitch() {
  const [theme, set] = useState(remembered);
  const choose = (next: Theme) => {
    set(next);
    apply(next);
    try {
      if (next === "system") localStorage.removeItem(key);
      else localStorage.setItem(key, next);
    } catch {
      // Not remembered, then.
    }
  };
  return (
    <select class="theme" aria-label="Theme" value={theme} onChange={(e) => choose(e.currentTarget.value as Theme)}>
      <option value="system">System</option>
      <option value="light">Light</option>
      <option value="dark">Dark</option>
    </select>
  );
}

/** Light, dark, or as the system has it; remembered where the browser lets us. */
import { useState } from "preact/hooks";

type Theme = "system" | "light" | "dark";
const key = "deeprepo-theme";
const next: { readonly [theme in Theme]: Theme } = { system: "light", light: "dark", dark: "system" };
const icons: { readonly [theme in Theme]: string } = {
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  light: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M3 13l1-1M12 4l1-1",
  dark: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
};

function remembered(): Theme {
  try {
    const kept = localStorage.getItem(key);
    return kept === "light" || kept === "dark" ? kept : "system";
  } catch {
    return "system"; // a page from a file may have no storage
  }
}

function remember(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Not remembered, then.
  }
}

/** Sets the theme that was chosen before and follows the system's; once, at the start. */
export function startTheme(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  apply(remembered());
  dark.addEventListener("change", () => apply(remembered()));
}

function apply(theme: Theme): void {
  const dark = theme === "dark" || (theme === "system" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset["theme"] = dark ? "dark" : "light";
  dispatchEvent(new Event("themechange"));
}

/** Chooses the theme: system, light, dark, in turn. */
export function ThemeSwitch() {
  const [theme, set] = useState(remembered);
  const choose = () => {
    remember(next[theme]);
    set(next[theme]);
    apply(next[theme]);
  };
  return (
    <button
      type="button" class="icon-button" aria-label={`Theme: ${theme}. Change to ${next[theme]}.`} title={`Theme: ${theme}`} onClick={choose}
    >
      <svg viewBox="0 0 16 16" aria-hidden="true"><path d={icons[theme]} /></svg>
    </button>
  );
}

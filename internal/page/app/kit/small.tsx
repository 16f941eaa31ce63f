/** The small parts that every page is made of: facts, badges, tabs, copy buttons, what is shown while there is nothing. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { severities } from "./tables";

/** A named value; put several in a `<dl class="facts">`. */
export function Fact(p: { name: string; children: ComponentChildren }) {
  return (
    <div class="fact">
      <dt>{p.name}</dt>
      <dd>{p.children}</dd>
    </div>
  );
}

/** 5 for critical to 1 for info, 0 for no severity. */
export function severityRank(severity: string): number {
  const at = severities.indexOf(severity);
  return at < 0 ? 0 : severities.length - at;
}

/** The sign of each severity: no two have the same outline. */
export const severitySigns: { readonly [severity: string]: string } = {
  critical: "M6 0 12 6 6 12 0 6z", high: "M6 1 12 11 0 11z", medium: "M1.5 1.5h9v9h-9z", low: "M6 1.5a4.5 4.5 0 1 0 0 9a4.5 4.5 0 1 0 0-9z",
  info: "M1 4.5h10v3H1z",
};

/** A severity as a sign: its outline says it, and its colour. */
export function SeveritySign(p: { s: string }) {
  const known = severities.includes(p.s) ? p.s : "info";
  return (
    <svg class={"severity-sign severity-sign-" + known} viewBox="0 0 12 12" width="10" height="10" aria-hidden="true">
      <path d={severitySigns[known]} />
    </svg>
  );
}

/** A finding's severity: a word, a sign and a colour, never a colour alone. */
export function Severity(p: { s: string }) {
  const known = severities.includes(p.s) ? p.s : "info";
  return <span class={"severity severity-" + known}><SeveritySign s={known} />{p.s || "none"}</span>;
}

const tones: { [status: string]: string } = { running: "live", completed: "good", partial: "warn", failed: "bad", broken: "bad" };

/** A run's status. */
export function StatusBadge(p: { s: string }) {
  return <span class={"status status-" + (tones[p.s] ?? "plain")}>{p.s}</span>;
}

/** A short label; the tone says what it means. */
export function Badge(p: { tone?: "good" | "warn" | "bad" | "live" | "plain"; title?: string; children: ComponentChildren }) {
  return <span class={"badge badge-" + (p.tone ?? "plain")} title={p.title}>{p.children}</span>;
}

/** Tabs over one panel. The caller keeps what is selected, best in the query of the route. */
export function Tabs(p: {
  name: string;
  tabs: { key: string; title: ComponentChildren }[]; selected: string; onSelect: (key: string) => void;
}) {
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    const at = p.tabs.findIndex((t) => t.key === p.selected);
    const next = p.tabs[(at + step + p.tabs.length) % p.tabs.length];
    if (next === undefined) return;
    p.onSelect(next.key);
    const list = event.currentTarget as HTMLElement;
    requestAnimationFrame(() => list.querySelector<HTMLElement>('[aria-selected="true"]')?.focus());
  };
  return (
    <div class="tabs" role="tablist" aria-label={p.name} onKeyDown={move}>
      {p.tabs.map((t) => (
        <button
          key={t.key} type="button" role="tab" aria-selected={t.key === p.selected} tabIndex={t.key === p.selected ? 0 : -1}
          onClick={() => p.onSelect(t.key)}
        >
          {t.title}
        </button>
      ))}
    </div>
  );
}

/** A button that copies a text. */
export function Copy(p: { text: string | (() => string); label: string }) {
  const [done, set] = useState("");
  const copy = async () => {
    const text = typeof p.text === "string" ? p.text : p.text();
    set((await toClipboard(text)) ? "Copied" : "Not copied");
    setTimeout(() => set(""), 1500);
  };
  return (
    <button type="button" class="button small" onClick={() => void copy()}>
      <span aria-live="polite">{done || p.label}</span>
    </button>
  );
}

async function toClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    // A page from a file, or over plain HTTP, has no clipboard of its own: the old way, through a selection.
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "off-screen";
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    return done;
  }
}

/** What a list says when it has nothing: why, and what to do about it. */
export function Empty(p: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{p.title}</p>
      {p.children}
    </div>
  );
}

/** Shown while a document is on its way. */
export function Loading() {
  return (
    <p class="loading" role="status">
      Loading…
    </p>
  );
}

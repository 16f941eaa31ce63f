/** What it means that a finding does not stand in the main list, and what people decided about it. */
import type { Finding, Triage } from "../../documents";

/** Who left findings out, by the word of the document. */
const by: { readonly [who: string]: string } = {
  file: "Suppressed by the suppress file", comment: "Suppressed by a comment", triage: "Left out by a decision",
};

/** What it means that a finding stands aside. */
export function aside(f: Finding, dismissed: boolean): string {
  if (dismissed) return `Dismissed by ${f.by || "the root"}`;
  if (f.by) return Object.hasOwn(by, f.by) ? (by[f.by] ?? "") : `Suppressed by ${f.by}`;
  return f.proof ? "Why it is refuted" : "Why it does not count";
}

/** What each state of a finding says. */
export const states: { readonly [state: string]: string } = {
  open: "open again", accepted: "accepted as a risk", "false-positive": "no defect", "wont-fix": "will not be mended", fixed: "mended",
};

/** A decision in words: "accepted as a risk, by ann on 2026-11-23, until 2027-01-31". */
export function decided(t: Triage): string {
  const word = Object.hasOwn(states, t.state) ? (states[t.state] ?? "") : t.state;
  const day = Number.isNaN(Date.parse(t.at)) || t.at.startsWith("0001-") ? "" : ` on ${t.at.slice(0, 10)}`;
  const who = t.by || day ? `,${t.by ? " by " + t.by : ""}${day}` : "";
  return word + who + (t.until ? `, until ${t.until}` : "");
}

/** What a finding is to the change that was reviewed. */
export const inChange: { readonly [status: string]: string } = {
  new: "new", "pre-existing": "there before the change", fixed: "fixed by the change",
};

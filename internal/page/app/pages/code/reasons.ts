/** Skipped files in groups: one reason, one who left them out. */
import type { SkippedFile } from "../../documents";

/** Files that were skipped for one reason. */
export interface Group {
  reason: string;
  /** Who left them out, in words; "" where that is not known. */
  by: string;
  /** How many of them are source code. */
  source: number;
  files: { path: string; note: string; source: boolean }[];
}

const words: { readonly [by: string]: string } = {
  user: "left out by the user", codebase: "left out by the codebase", program: "left out by the program",
};

/** The groups, largest first; in each, source code comes first. */
export function groupSkipped(skipped: readonly SkippedFile[]): Group[] {
  const groups = new Map<string, Group>();
  for (const s of skipped) {
    // "too large: 3 MiB, the limit is 1 MiB" is one of the files that are too large.
    const reason = s.why.split(":")[0] ?? s.why;
    const note = s.why.slice(reason.length + 1).trim();
    const by = Object.hasOwn(words, s.by) ? (words[s.by] ?? "") : "";
    const key = reason + "\n" + by;
    const group: Group = groups.get(key) ?? { reason, by, source: 0, files: [] };
    groups.set(key, group);
    if (s.source) group.source++;
    group.files.push({ path: s.path, note, source: s.source });
  }
  for (const g of groups.values()) g.files.sort((a, b) => Number(b.source) - Number(a.source));
  return [...groups.values()].sort((a, b) => b.files.length - a.files.length);
}

/** Which findings are listed, in which groups and order. */
import type { Finding, TopFinding } from "../../documents";
import { severityRank } from "../../kit";

/** What the list is grouped by. */
export type By = "severity" | "first" | "file" | "category" | "rule";

/** What the list is narrowed by; "" for not at all. */
export interface Filter {
  text: string;
  severity: string;
  category: string;
  /** What the second look came to: "stands", "partly", "by_design", "unsure", "unverified", "executed". */
  second: string;
}

/** A row of the list: a group's head, or a finding. */
export type Row = { head: string; count: number } | { finding: Finding };

/** Whether a filter keeps a finding. Each word of the text must stand somewhere in it. */
export function keeps(filter: Filter, f: Finding): boolean {
  if (filter.severity !== "" && f.severity !== filter.severity) return false;
  if (filter.category !== "" && f.category !== filter.category) return false;
  if (
    filter.second === "executed"
      ? f.verification?.execution === undefined
      : filter.second !== "" && (f.verification?.status ?? "unverified") !== filter.second
  )
    return false;
  const words = filter.text.toLowerCase().split(/\s+/).filter((w) => w !== "");
  if (words.length === 0) return true;
  const all = [f.title, f.file, f.category, f.cwe, f.explanation, f.suggestion, f.evidence, f.id, f.rule ?? ""].join("\n").toLowerCase();
  return words.every((w) => all.includes(w));
}

/** Why a finding is among the first, and how many more its rule found. */
export function whyFirst(top: TopFinding): string {
  const more = top.same?.length ?? 0;
  return top.why + (more > 0 ? `; the same rule found ${more} more` : "");
}

/**
 * The findings in groups: by severity from the worst; what to do first, and the others by severity; by file, category or rule from
 * the one with the worst finding.
 */
export function group(findings: readonly Finding[], by: By, top: readonly TopFinding[] = []): Row[] {
  if (by === "first") {
    const byID = new Map(findings.map((f) => [f.id, f]));
    const first = top.flatMap((t) => byID.get(t.id) ?? []);
    const others = group(findings.filter((f) => !first.includes(f)), "severity");
    if (first.length === 0) return others;
    return [{ head: "What to do first", count: first.length }, ...first.map((finding) => ({ finding })), ...others];
  }
  const groups = new Map<string, Finding[]>();
  for (const f of findings) {
    const key = { severity: f.severity, first: "", file: f.file || "no file named", category: f.category, rule: f.rule || "no rule" }[by];
    const list = groups.get(key);
    if (list === undefined) groups.set(key, [f]);
    else list.push(f);
  }
  const worst = (list: readonly Finding[]) => Math.max(...list.slice(0, 1000).map((f) => severityRank(f.severity)));
  const sorted = [...groups].map(([head, list]) => ({ head, list, worst: worst(list) }));
  sorted.sort((a, b) => b.worst - a.worst || b.list.length - a.list.length || (a.head < b.head ? -1 : 1));
  return sorted.flatMap(({ head, list }): Row[] => {
    const inOrder =
      by === "file"
        ? [...list].sort((a, b) => a.line - b.line)
        : by === "category" || by === "rule"
          ? [...list].sort((a, b) => severityRank(b.severity) - severityRank(a.severity))
          : list;
    return [{ head, count: list.length }, ...inOrder.map((finding) => ({ finding }))];
  });
}

/** The values that findings have, most frequent first. */
export function values(findings: readonly Finding[], of: (f: Finding) => string): { value: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const f of findings) counts.set(of(f), (counts.get(of(f)) ?? 0) + 1);
  return [...counts].map(([value, count]) => ({ value, count })).sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

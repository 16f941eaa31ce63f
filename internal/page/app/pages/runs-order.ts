/** The order of the list of runs: runs inside of a run follow it. */
import type { Row } from "../documents";
import { sorted } from "../kit/table-layout";

/** A run and how deep it lies inside of others. */
export interface Placed {
  row: Row;
  depth: number;
  /** How many runs lie inside it, at any depth. */
  inside: number;
  /** Its name, with the directories between it and the run that holds it. */
  name: string;
}

/**
 * Puts children behind their parents, in the order they came. Only those inside of a run in `open` are there; "all"
 * opens every run, "flat" leaves all runs where they are.
 */
export function arrangeRuns(rows: readonly Row[], open: ReadonlySet<string> | "all" | "flat"): Placed[] {
  if (open === "flat") return rows.map((row) => ({ row, depth: 0, inside: 0, name: row.name }));
  const ids = new Set(rows.map((r) => r.id));
  const children = new Map<string, Row[]>();
  const tops: Row[] = [];
  for (const row of rows) {
    if (row.parent === undefined || row.parent === row.id || !ids.has(row.parent)) tops.push(row);
    else children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  }
  const out: Placed[] = [];
  const placed = new Set<string>();
  /** Places a run and what lies inside it; the answer is how many runs that were. */
  const place = (row: Row, parent: Row | null, depth: number, shown: boolean): number => {
    if (placed.has(row.id) || depth > 8) return 0;
    placed.add(row.id);
    const here: Placed = { row, depth, inside: 0, name: parent === null ? row.name : below(row, parent) };
    if (shown) out.push(here);
    const opened = shown && (open === "all" || open.has(row.id));
    for (const child of children.get(row.id) ?? []) here.inside += place(child, row, depth + 1, opened);
    return here.inside + 1;
  };
  for (const row of tops) place(row, null, 0, true);
  for (const row of rows) place(row, null, 0, true); // parents that name one another in a circle
  return out;
}

/** Rows with the latest begun first; those without a known time, and runs inside of runs, keep their order behind them. */
export function newestFirst(rows: readonly Row[]): Row[] {
  const ids = new Set(rows.map((r) => r.id));
  const inside = (r: Row) => r.parent !== undefined && r.parent !== r.id && ids.has(r.parent);
  const begun = (r: Row) => Date.parse(r.started_at ?? r.updated_at ?? "");
  return [...sorted(rows.filter((r) => !inside(r)), begun, true), ...rows.filter(inside)];
}

function below(row: Row, parent: Row): string {
  return parent.path !== "" && row.path.startsWith(parent.path + "/") ? row.path.slice(parent.path.length + 1) : row.name;
}

/** Whether a run passes the filters: every word of the text stands in its name, path, models or result. */
export function passes(row: Row, text: string, kind: string, status: string): boolean {
  if (kind !== "" && row.kind !== kind) return false;
  if (status !== "" && row.status !== status) return false;
  const hay = [row.name, row.path, row.kind, row.headline, ...row.models].join("\n").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => hay.includes(word));
}

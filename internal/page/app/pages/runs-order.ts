/** The order of the list of runs: runs inside of a run follow it. */
import type { Row } from "../documents";

/** A run and how deep it lies inside of others. */
export interface Placed {
  row: Row;
  depth: number;
}

/** Puts children behind their parents, in the order they came; `flat` leaves all where they are. */
export function arrangeRuns(rows: readonly Row[], flat: boolean): Placed[] {
  if (flat) return rows.map((row) => ({ row, depth: 0 }));
  const ids = new Set(rows.map((r) => r.id));
  const children = new Map<string, Row[]>();
  const tops: Row[] = [];
  for (const row of rows) {
    if (row.parent === undefined || row.parent === row.id || !ids.has(row.parent)) tops.push(row);
    else children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  }
  const out: Placed[] = [];
  const placed = new Set<string>();
  const place = (row: Row, depth: number) => {
    if (placed.has(row.id) || depth > 8) return;
    placed.add(row.id);
    out.push({ row, depth });
    for (const child of children.get(row.id) ?? []) place(child, depth + 1);
  };
  for (const row of tops) place(row, 0);
  for (const row of rows) place(row, 0); // parents that name one another in a circle
  return out;
}

/** Whether a run passes the filters: every word of the text stands in its name, path, models or result. */
export function passes(row: Row, text: string, kind: string, status: string): boolean {
  if (kind !== "" && row.kind !== kind) return false;
  if (status !== "" && row.status !== status) return false;
  const hay = [row.name, row.path, row.kind, row.headline, ...row.models].join("\n").toLowerCase();
  return text.toLowerCase().split(/\s+/).every((word) => hay.includes(word));
}

/** Which rows of a timeline are shown: those that hold a text or an error, or belong to one loop. */
import type { Trace } from "../../documents";
import type { Row, Timeline } from "./timeline";

/** What the reader asked for; every part may be empty. */
export interface Wanted {
  /** Words of a cell, a dispatch's file, or a turn's number. Case is ignored. */
  text: string;
  errors: boolean;
  /** Index into Trace.nodes; undefined for every loop. */
  node?: number;
}

/** narrowed says whether anything is left out at all. */
export function narrowed(w: Wanted): boolean {
  return w.text.trim() !== "" || w.errors || w.node !== undefined;
}

/** shown returns the rows that are wanted, in order. Only turns are searched; of the rest, what fits the loop stays. */
export function shown(line: Timeline, t: Trace, w: Wanted): Row[] {
  if (!narrowed(w)) return line.rows;
  const text = w.text.trim().toLowerCase();
  return line.rows.filter((row) => {
    if (w.node !== undefined && row.node !== w.node) return false;
    if (w.errors && row.errors === 0 && row.kind !== "end") return false;
    if (text === "") return true;
    return row.kind === "turn" && holds(row, t, text);
  });
}

function holds(row: Row, t: Trace, text: string): boolean {
  if (row.label.toLowerCase().includes(text) || String(row.number) === text.replace(/^#/, "")) return true;
  const at = (i: number) => (t.label[i] ?? "").toLowerCase().includes(text);
  return row.cells.some(at) || row.dispatches.some(at);
}

/** How wide columns are and in what order rows stand: the parts of a table that need no page. */

/** A cell's value: what sorts, is filtered and goes into the CSV. */
export type Value = string | number | null | undefined;

/** The order of two values; what is unknown comes last, whichever way the others go. */
export function compareValues(a: Value, b: Value, down: boolean): number {
  const unknown = (v: Value) => v === null || v === undefined || v === "" || (typeof v === "number" && Number.isNaN(v));
  if (unknown(a) || unknown(b)) return unknown(a) && unknown(b) ? 0 : unknown(a) ? 1 : -1;
  const order = typeof a === "number" && typeof b === "number" ? a - b : collator.compare(String(a), String(b));
  return down ? -order : order;
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** Rows in the order of a value: equal rows keep theirs, values are asked for once a row. */
export function sorted<R>(rows: readonly R[], value: (row: R) => Value, down: boolean): R[] {
  return rows
    .map((row, i) => ({ row, i, v: value(row) }))
    .sort((a, b) => compareValues(a.v, b.v, down) || a.i - b.i)
    .map((e) => e.row);
}

/** The width of a column in characters, from what it holds in some of its rows: enough for most, never too much. */
export function characters(title: string, values: Iterable<Value>): number {
  const lengths: number[] = [];
  for (const v of values)
    lengths.push(v === null || v === undefined ? 1 : String(typeof v === "number" ? Number(v.toPrecision(6)) : v).length);
  lengths.sort((a, b) => a - b);
  const most = lengths[Math.floor(lengths.length * 0.9)] ?? 0;
  return Math.max(title.length + 2, Math.min(60, most + 1), 4);
}

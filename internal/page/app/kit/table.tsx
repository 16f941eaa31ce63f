/** A table with sortable columns, keyboard and CSV. */
import type { ComponentChildren } from "preact";
import { useMemo, useState } from "preact/hooks";
import { csv } from "./csv";
import { download } from "./download";
import { useKeys } from "./keys";

/** A cell's value: what sorts, is filtered and goes into the CSV. */
export type Value = string | number | null | undefined;

/** One column of a Table. */
export interface Column<R> {
  key: string;
  title: string;
  value: (row: R) => Value;
  /** How it is shown; defaults to the value. */
  render?: (row: R) => ComponentChildren;
  /** Defaults to "right" for numbers. */
  align?: "left" | "right";
  /** CSS width, such as "12rem". */
  width?: string;
  /** Whether its header sorts. Defaults to true. */
  sort?: boolean;
}

/** Rows and columns. `filter` keeps rows; Enter or a click opens one. */
export function Table<R>(p: {
  name: string;
  rows: readonly R[];
  columns: readonly Column<R>[];
  onOpen?: (row: R) => void;
  selected?: (row: R) => boolean;
  filter?: (row: R) => boolean;
}) {
  const [sort, setSort] = useState<{ key: string; down: boolean } | null>(null);
  const [at, setAt] = useState(-1);
  const rows = useMemo(() => {
    const kept = p.filter ? p.rows.filter(p.filter) : [...p.rows];
    const column = p.columns.find((c) => c.key === sort?.key);
    if (column !== undefined && sort !== null) kept.sort((a, b) => compare(column.value(a), column.value(b), sort.down));
    return kept;
  }, [p.rows, p.filter, sort]);
  const shown = rows.slice(0, 1000);
  const open = (row: R | undefined) => row !== undefined && p.onOpen?.(row);
  useKeys(
    p.onOpen === undefined ? {} : { j: () => setAt(Math.min(at + 1, shown.length - 1)), k: () => setAt(Math.max(at - 1, 0)), Enter: () => open(shown[at]) },
    p.name,
  );
  return (
    <div class="table-box">
      <div class="table-tools">
        <span class="muted">{rows.length === p.rows.length ? `${rows.length} rows` : `${rows.length} of ${p.rows.length} rows`}</span>
        <button type="button" class="button small" onClick={() => download(p.name + ".csv", "text/csv", csv(p.columns.map((c) => c.title), rows.map((r) => p.columns.map((c) => c.value(r)))))}>
          CSV
        </button>
      </div>
      <div class="table-scroll">
        <table aria-label={p.name}>
          <thead>
            <tr>
              {p.columns.map((c) => {
                const mine = sort?.key === c.key;
                return (
                  <th key={c.key} class={alignment(c, rows)} style={c.width ? { width: c.width } : undefined} aria-sort={mine ? (sort.down ? "descending" : "ascending") : undefined} scope="col">
                    {c.sort === false ? c.title : <button type="button" onClick={() => setSort({ key: c.key, down: mine ? !sort.down : typeof c.value(rows[0] as R) === "number" })}>{c.title}</button>}
                  </th>
                );
              })}
            </tr>
          </thead>
          <tbody>
            {shown.map((row, i) => (
              <tr key={i} class={i === at || p.selected?.(row) ? "selected" : undefined} onClick={() => open(row)}>
                {p.columns.map((c) => (
                  <td key={c.key} class={alignment(c, rows)}>
                    {c.render ? c.render(row) : c.value(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}

function alignment<R>(c: Column<R>, rows: readonly R[]): string {
  const align = c.align ?? (rows[0] !== undefined && typeof c.value(rows[0]) === "number" ? "right" : "left");
  return "align-" + align;
}

function compare(a: Value, b: Value, down: boolean): number {
  if (a === null || a === undefined) return b === null || b === undefined ? 0 : 1;
  if (b === null || b === undefined) return -1;
  const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true });
  return down ? -order : order;
}

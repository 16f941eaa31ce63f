/** A table with sortable headers, keyboard and CSV; above 200 rows only those in sight are drawn. */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { csv } from "./csv";
import { download } from "./download";
import { count, plural } from "./format";
import { useKeys, type Keys } from "./keys";
import { setQuery, useRoute } from "./router";
import { characters, sorted, type Value } from "./table-layout";
export type { Value } from "./table-layout";


/** One column of a Table. */
export interface Column<R> {
  key: string;
  title: string;
  value: (row: R) => Value;
  /** How it is shown; defaults to the value. */
  render?: (row: R) => ComponentChildren;
  /** Defaults to "right" where the first known value is a number. */
  align?: "left" | "right";
  /** CSS width, such as "12rem". Defaults to what the content needs. */
  width?: string;
  /** Whether its header sorts. Defaults to true. */
  sort?: boolean;
  /** What the title means, shown under the pointer. */
  hint?: string;
  /** The column is left out where the window is narrower, in pixels. Defaults to shown everywhere. */
  from?: 700 | 1000 | 1400;
}

/** Keys that go to the next row and to the one before. */
interface Steps {
  readonly next: readonly string[];
  readonly previous: readonly string[];
}

interface Props<R> {
  /** What its rows are: its accessible name, the name of its CSV file. */
  name: string;
  rows: readonly R[];
  columns: readonly Column<R>[];
  /** A click, or Enter on the chosen row. */
  onOpen?: (row: R) => void;
  /** The row that the page shows elsewhere. */
  selected?: (row: R) => boolean;
  /** Rows that are kept. */
  filter?: (row: R) => boolean;
  /** What stands where no row is left. */
  empty?: ComponentChildren;
  /** What stands beside the CSV button: filters. */
  tools?: ComponentChildren;
  /**
   * Other keys than j and k, for a table beside a list that has those; null leaves all keys, and Enter, to the page
   * around it. Rows that have the focus listen to Enter and the arrow keys in any case.
   */
  keys?: Steps | null;
}

/** Rows above which only those in sight are drawn, at a common height. */
const drawAll = 200;
const rowHeight = 30;

const usual: Steps = { next: ["j"], previous: ["k"] };

function bound(keys: Steps, step: (by: number) => void): Keys {
  return Object.fromEntries([...keys.next.map((k) => [k, () => step(1)]), ...keys.previous.map((k) => [k, () => step(-1)])]) as Keys;
}

/** Rows and columns. The order is kept in the query of the route; j, k and Enter choose and open rows. */
export function Table<R>(p: Props<R>) {
  const slug = p.name.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  const sort = useRoute().query["sort." + slug] ?? "";
  const down = sort.startsWith("-");
  const sortKey = sort.replace(/^-/, "");
  const rows = useMemo(() => {
    const kept = p.filter === undefined ? p.rows : p.rows.filter(p.filter);
    const column = p.columns.find((c) => c.key === sortKey);
    return column === undefined ? kept : sorted(kept, column.value, down);
  }, [p.rows, p.filter, sort, p.columns]);
  const [at, setAt] = useState(-1);
  const body = useRef<HTMLTableSectionElement>(null);
  const scroller = useRef<HTMLDivElement>(null);
  const open = (row: R | undefined) => row !== undefined && p.onOpen?.(row);
  // The row takes the focus, too: Enter is then its own, and not that of the button that was clicked last.
  const step = (by: number) => {
    const next = Math.max(0, Math.min(at + by, rows.length - 1));
    setAt(next);
    focusRow(next); // at once, for an Enter that follows at once
    requestAnimationFrame(() => focusRow(next)); // one out of sight is drawn by then
  };
  const focusRow = (i: number) => body.current?.querySelector<HTMLElement>(`[aria-rowindex="${i + 2}"]`)?.focus();
  const listens = p.onOpen !== undefined && rows.length > 0 && p.keys !== null;
  useKeys(listens ? { ...bound(p.keys ?? usual, step), Enter: () => open(rows[at]) } : {}, p.name);

  const virtual = rows.length > drawAll;
  const [top, setTop] = useState({ top: 0, size: 800 });
  useLayoutEffect(() => {
    const el = scroller.current;
    if (el === null || !virtual) return undefined;
    const follow = () =>
      setTop((old) => (old.top === el.scrollTop && old.size === el.clientHeight ? old : { top: el.scrollTop, size: el.clientHeight }));
    follow();
    el.addEventListener("scroll", follow, { passive: true });
    const observer = new ResizeObserver(follow);
    observer.observe(el);
    return () => {
      el.removeEventListener("scroll", follow);
      observer.disconnect();
    };
  }, [virtual]);
  useEffect(() => {
    if (at < 0) return;
    if (virtual && scroller.current !== null) {
      const el = scroller.current;
      const y = at * rowHeight;
      if (y < el.scrollTop) el.scrollTop = y;
      else if (y + 2 * rowHeight > el.scrollTop + el.clientHeight) el.scrollTop = y + 2 * rowHeight - el.clientHeight;
    } else body.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at]);

  const first = virtual ? Math.max(0, Math.floor(top.top / rowHeight) - 10) : 0;
  const last = virtual ? Math.min(rows.length, Math.ceil((top.top + top.size) / rowHeight) + 10) : rows.length;
  const looks = useMemo(() => layout(p.columns, p.rows), [p.columns, p.rows]);
  const key = (event: KeyboardEvent, i: number) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "Enter") open(rows[i]);
    else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const next = Math.max(0, Math.min(rows.length - 1, i + (event.key === "ArrowDown" ? 1 : -1)));
      setAt(next);
      requestAnimationFrame(() => focusRow(next));
    } else return;
    event.preventDefault();
  };
  const row = (r: R, i: number) => {
    const chosen = i === at || p.selected?.(r) === true;
    return (
      <tr
        key={i}
        aria-rowindex={i + 2}
        class={(chosen ? "selected" : "") + (p.onOpen ? " opens" : "")}
        aria-current={chosen ? "true" : undefined}
        tabIndex={p.onOpen ? (i === Math.max(at, 0) ? 0 : -1) : undefined}
        onClick={p.onOpen ? (e) => clicked(e, () => (setAt(i), open(r))) : undefined}
        onKeyDown={p.onOpen ? (e) => key(e, i) : undefined}
        onFocus={p.onOpen ? (e) => e.target === e.currentTarget && i !== at && setAt(i) : undefined}
      >
        {p.columns.map((c, k) => (
          <td key={c.key} class={looks[k]!.class}>
            {c.render ? c.render(r) : shownValue(c.value(r))}
          </td>
        ))}
      </tr>
    );
  };
  const save = () =>
    download(
      `${p.name}.csv`, "text/csv;charset=utf-8",
      csv(
        p.columns.map((c) => c.title), rows.map((r) => p.columns.map((c) => c.value(r))),
      ),
    );
  return (
    <section class="table-box" aria-label={p.name}>
      <div class="table-tools">
        {p.tools}
        <span class="muted" role="status">
          {rows.length === p.rows.length ? plural(rows.length, "row") : `${count(rows.length)} of ${plural(p.rows.length, "row")}`}
        </span>
        <button type="button" class="button small quiet" aria-label={`${p.name} as CSV`} onClick={save} disabled={rows.length === 0}>
          CSV
        </button>
      </div>
      {rows.length === 0 ? (
        (p.empty ?? <p class="empty">{p.rows.length === 0 ? "Nothing here." : "No row passes the filter."}</p>)
      ) : (
        <div
          ref={scroller} class={"table-scroll" + (virtual ? " table-virtual" : "")} tabIndex={virtual ? 0 : undefined}
          role={virtual ? "region" : undefined} aria-label={virtual ? p.name : undefined}
        >
          <table
            aria-label={p.name} aria-rowcount={rows.length + 1}
            style={virtual ? { minWidth: looks.reduce((s, l) => s + l.size, 0) + "ch" } : undefined}
          >
            <colgroup>
              {p.columns.map((c, k) => (
                <col
                  key={c.key} class={c.from ? `from-${c.from}` : undefined}
                  style={c.width ? { width: c.width } : virtual ? { width: looks[k]!.size + "ch" } : undefined}
                />
              ))}
            </colgroup>
            <thead>
              <tr aria-rowindex={1}>
                {p.columns.map((c, k) => (
                  <Header
                    key={c.key} column={c} class={looks[k]!.class}
                    sorted={c.key === sortKey ? (down ? "descending" : "ascending") : undefined}
                    onSort={() => setQuery({ ["sort." + slug]: nextSort(c.key, sort, looks[k]!.number) })}
                  />
                ))}
              </tr>
            </thead>
            <tbody ref={body}>
              {first > 0 ? (
                <tr aria-hidden="true">
                  <td class="spacer" colSpan={p.columns.length} style={{ height: `${first * rowHeight}px` }} />
                </tr>
              ) : null}
              {rows.slice(first, last).map((r, k) => row(r, first + k))}
              {last < rows.length ? (
                <tr aria-hidden="true">
                  <td class="spacer" colSpan={p.columns.length} style={{ height: `${(rows.length - last) * rowHeight}px` }} />
                </tr>
              ) : null}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function Header<R>(p: { column: Column<R>; class: string; sorted: "ascending" | "descending" | undefined; onSort: () => void }) {
  const { column } = p;
  return (
    <th scope="col" class={p.class} aria-sort={p.sorted} title={column.hint}>
      {column.sort === false ? column.title : (
        <button type="button" onClick={p.onSort}>
          {column.title}
          <span class="sort-mark" aria-hidden="true">{p.sorted === "descending" ? "▼" : p.sorted === "ascending" ? "▲" : ""}</span>
        </button>
      )}
    </th>
  );
}

/** Numbers begin with the greatest, texts with the first; a third click takes the order away. */
function nextSort(key: string, sort: string, number: boolean): string {
  const steps = number ? ["-" + key, key, ""] : [key, "-" + key, ""];
  return steps[(steps.indexOf(sort) + 1) % 3]!;
}

/** What each column looks like, from some of its rows. */
function layout<R>(columns: readonly Column<R>[], rows: readonly R[]): { class: string; size: number; number: boolean }[] {
  const step = Math.max(1, Math.floor(rows.length / 200));
  const sample = rows.filter((_, i) => i % step === 0);
  return columns.map((c) => {
    const values = sample.map(c.value);
    const number = typeof values.find((v) => v !== null && v !== undefined) === "number";
    return {
      class: "align-" + (c.align ?? (number ? "right" : "left")) + (c.from ? ` from-${c.from}` : ""), size: characters(c.title, values),
      number,
    };
  });
}

function shownValue(v: Value): ComponentChildren {
  if (v === null || v === undefined) return "–";
  return typeof v === "number" ? String(Number(v.toPrecision(6))) : v;
}

/** A click that was no link's, and selected no text. */
function clicked(event: MouseEvent, open: () => void): void {
  if (event.target instanceof Element && event.target.closest("a, button, input, summary") !== null) return;
  if ((getSelection()?.toString() ?? "") !== "") return;
  open();
}

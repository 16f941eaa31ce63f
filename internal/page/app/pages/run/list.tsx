/** The timeline as a list: one link a turn, what happened between turns, and above it the filter. */
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import type { Trace } from "../../documents";
import { Badge, count, Empty, money, plural, seconds, setQuery, useKeys, Virtual, Visible } from "../../kit";
import { narrowed, type Wanted } from "./filter";
import type { Row, Timeline } from "./timeline";
import { ending } from "./words";

/** Height of a row in pixels; run.css says the same. */
const rowHeight = 48;

/** The list of turns; `open` is the link of a row. */
export function TurnList(p: {
  trace: Trace;
  timeline: Timeline;
  rows: readonly Row[];
  wanted: Wanted;
  selected: Row | undefined;
  open: (row: Row) => string;
  follow?: { on: boolean; set: (on: boolean) => void } | undefined;
}) {
  // Where the turn stood when it was selected: that it moves, because rows come, is no reason to scroll.
  const at = useMemo(() => (p.selected ? p.rows.indexOf(p.selected) : -1), [p.selected?.seq]);
  const { longest, dearest } = p.timeline.totals;
  const box = useRef<HTMLDivElement>(null);
  usePlace(box, p.rows);
  return (
    <div class="turn-side" ref={box}>
      <Filter trace={p.trace} timeline={p.timeline} wanted={p.wanted} rows={p.rows} follow={p.follow} />
      {p.rows.length === 0 ? (
        narrowed(p.wanted) ? (
          <Empty title="No turn passes the filter." />
        ) : (
          <Empty title={p.trace.complete ? "The trace has no turns." : "No turn yet."} />
        )
      ) : (
        <Virtual
          name="Turns"
          class="turn-list"
          count={p.rows.length}
          height={rowHeight}
          scrollTo={at < 0 ? undefined : at}
          render={(i) => {
            const row = p.rows[i];
            return row ? (
              <Line row={row} trace={p.trace} open={p.open(row)} current={row === p.selected} longest={longest} dearest={dearest} />
            ) : null;
          }}
        />
      )}
    </div>
  );
}

/** Keeps the row at the top of the list where it is when rows come in above it, as those of a child loop do. */
function usePlace(box: { current: HTMLElement | null }, rows: readonly Row[]): void {
  const before = useRef(rows);
  useLayoutEffect(() => {
    const list = box.current?.querySelector(".turn-list");
    const old = before.current;
    before.current = rows;
    if (!list || old === rows || list.scrollTop === 0) return;
    const at = Math.floor(list.scrollTop / rowHeight);
    const first = old[at];
    const now = first ? rows.findIndex((row) => row.seq === first.seq && row.kind === first.kind) : -1;
    if (now >= 0 && now !== at) list.scrollTop += (now - at) * rowHeight;
  }, [rows]);
}

function Filter(p: {
  trace: Trace; timeline: Timeline; wanted: Wanted; rows: readonly Row[];
  follow?: { on: boolean; set: (on: boolean) => void } | undefined;
}) {
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(p.wanted.text);
  useEffect(() => setText(p.wanted.text), [p.wanted.text]);
  // Every turn and dispatch is searched: in a trace of 100,000 events that is not done at each key.
  // Nothing is said that the address says already: who leaves at once would take an empty filter along.
  useEffect(() => {
    if (text === p.wanted.text) return;
    const wait = setTimeout(() => setQuery({ q: text }), 120);
    return () => clearTimeout(wait);
  }, [text, p.wanted.text]);
  useKeys({ "/": () => field.current?.select() }, "Turns");
  const { totals } = p.timeline;
  const kept = p.rows.reduce((n, row) => n + (row.kind === "turn" ? 1 : 0), 0);
  return (
    <div class="turn-filter">
      <div class="turn-filter-words">
        <input
          ref={field}
          type="search"
          class="input"
          placeholder="Filter: words of code, a file, a turn"
          aria-label="Filter turns"
          value={text}
          onInput={(e) => setText(e.currentTarget.value)}
          onKeyDown={(e) => {
            if (e.key === "Escape") setText("");
            if (e.key === "Escape" || e.key === "Enter") e.currentTarget.blur();
          }}
        />
        {p.trace.nodes.length > 1 ? (
          <select aria-label="Loop" class="input" value={p.wanted.node ?? ""} onChange={(e) => setQuery({ loop: e.currentTarget.value })}>
            <option value="">all {plural(totals.loops + 1, "loop")}</option>
            {p.trace.nodes.slice(0, 500).map((name, i) => (
              <option key={i} value={i}>
                {name === "" ? "the root" : name}
              </option>
            ))}
          </select>
        ) : null}
      </div>
      <div class="turn-filter-more">
        <label class="check">
          <input
            type="checkbox" checked={p.wanted.errors} onChange={(e) => setQuery({ errors: e.currentTarget.checked ? 1 : undefined })}
          />{" "}
          errors only
        </label>
        {p.follow ? (
          <label class="check">
            <input type="checkbox" checked={p.follow.on} onChange={(e) => p.follow?.set(e.currentTarget.checked)} /> follow
          </label>
        ) : null}
        <span class="muted turn-kept" role="status">
          {narrowed(p.wanted) ? `${count(kept)} of ${plural(totals.turns, "turn")}` : plural(totals.turns, "turn")}
        </span>
      </div>
    </div>
  );
}

/** One row. Every one is as high as the others, so that a list of 100,000 needs no measuring. */
function Line(p: { row: Row; trace: Trace; open: string; current: boolean; longest: number; dearest: number }) {
  const { row } = p;
  const indent = "turn-row depth-" + Math.min(row.depth, 6);
  if (row.kind !== "turn") return <div class={`${indent} turn-note turn-${row.kind}`}>{note(row, p.trace)}</div>;
  const span = (row.to - row.from) / 1000;
  return (
    <a class={indent} href={p.open} aria-current={p.current ? "true" : undefined} draggable={false}>
      <span class="turn-number">{row.number}</span>
      <span class="turn-first">
        <span class="turn-label">
          {row.synthesis ? <Badge>synthesis</Badge> : null}
          {row.label ? <Visible text={row.label} /> : <i class="muted">no cell</i>}
        </span>
        {row.limited ? <span class="turn-errors" title="A cell was stopped by a limit">limit</span> : null}
        {row.errors > 0 ? (
          <span class="turn-errors" title={plural(row.errors, "error") + (row.repeated ? "; the same one again and again" : "")}>
            {row.repeated ? "↻ " : ""}
            {count(row.errors)} ✕
          </span>
        ) : null}
      </span>
      <span class="turn-dispatched">
        {row.dispatched > 0 ? plural(row.dispatched, "dispatch", "dispatches") : <span class="muted">no dispatch</span>}
      </span>
      <Amount text={seconds(span)} share={p.longest > 0 ? (row.to - row.from) / p.longest : 0} class="time" />
      <Amount text={money(row.cost)} share={p.dearest > 0 ? (row.cost ?? 0) / p.dearest : 0} class="cost" />
    </a>
  );
}

/** A number over a bar of its share of the largest. */
function Amount(p: { text: string; share: number; class: string }) {
  return (
    <span class={"amount amount-" + p.class}>
      {p.share > 0 ? <span class="amount-bar" style={{ width: `${Math.round(100 * Math.min(1, p.share))}%` }} /> : null}
      <span class="amount-text">{p.text}</span>
    </span>
  );
}

function note(row: Row, t: Trace) {
  switch (row.kind) {
    case "loop":
      return (
        <>
          <span class="note-title">Child loop</span> <code>{row.label}</code>
          <span class="note-more">
            {plural(row.number, "turn")}, {plural(row.dispatched, "dispatch", "dispatches")}, {seconds((row.to - row.from) / 1000)},{" "}
            {money(row.cost)}
          </span>
        </>
      );
    case "gate":
      return (
        <>
          <span class="note-title">Answer held back</span>
          <span class="note-more"><Visible text={row.label || "coverage is too low"} /></span>
        </>
      );
    case "compact":
      return (
        <>
          <span class="note-title">Transcript folded</span>
          <span class="note-more"><Visible text={row.label || `in turn ${row.number}`} /></span>
        </>
      );
    case "start":
      return (
        <>
          <span class="note-title">Resumed</span>
          <span class="note-more">after {seconds(row.to / 1000)}</span>
        </>
      );
    default:
      return (
        <>
          <span class="note-title">End</span>
          <span class="note-more">
            <Visible text={row.seq === t.seq0 + t.kind.length - 1 && t.end ? ending(t.end.stop_reason) : row.label} />
          </span>
        </>
      );
  }
}

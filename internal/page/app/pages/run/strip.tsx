/** The whole run on one strip: when the root thought, how many dispatches were in flight, where errors were. */
import { useMemo } from "preact/hooks";
import type { Trace } from "../../documents";
import { plural, replace, type Query } from "../../kit";
import { addressOf, Flag, type Row, type Timeline } from "./timeline";

/** Slices of time that are told apart. */
const slices = 600;
const height = 30;

/** What happened in each slice of a run's time. */
interface Slices {
  /** The share of the slice in which a root was asked, 0 to 1. */
  thinking: number[];
  /** Dispatches in flight, on average. */
  flying: number[];
  /** Errors that fell into it. */
  errors: number[];
}

/** sliced spreads the events over time. A trace of any length gives as many slices. */
export function sliced(t: Trace, span: number, n: number): Slices {
  const s: Slices = { thinking: new Array<number>(n).fill(0), flying: new Array<number>(n).fill(0), errors: new Array<number>(n).fill(0) };
  const width = Math.max(1, span) / n;
  for (let i = 0; i < t.kind.length; i++) {
    const to = (t.at_ms[i] ?? 0) / width;
    if ((t.flags[i] ?? 0) & Flag.error) s.errors[slot(to, n)]! += 1;
    const into = t.kind[i] === "r" ? s.thinking : t.kind[i] === "d" ? s.flying : undefined;
    // What took no time at all is still to be seen: it gets half a slice.
    if (into) spread(into, to - Math.max(0.5, (1000 * (t.seconds[i] ?? 0)) / width), to, n);
  }
  return s;
}

function slot(x: number, n: number): number {
  return Math.min(n - 1, Math.max(0, Math.floor(x)));
}

function spread(into: number[], from: number, to: number, n: number): void {
  const first = slot(from, n);
  const last = slot(to, n);
  for (let i = first; i <= last; i++) into[i]! += Math.max(0, Math.min(to, i + 1) - Math.max(from, i));
}

/** The strip; a click goes to the turn of that time. */
export function Strip(p: { at: string; trace: Trace; timeline: Timeline; selected: Row | undefined; query: Query }) {
  const { totals } = p.timeline;
  const drawn = useMemo(() => draw(sliced(p.trace, totals.span, slices)), [p.trace, totals.span]);
  if (totals.span <= 0 || totals.turns === 0) return null;
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const time = ((event.clientX - box.left) / box.width) * totals.span;
    const turns = p.timeline.turns.map((i) => p.timeline.rows[i]).filter((row) => row !== undefined);
    const best = turns.reduce((a, b) => (distance(b, time) < distance(a, time) ? b : a));
    replace(`${p.at}/${addressOf(p.timeline, best)}`, p.query);
  };
  const dispatches = plural(totals.dispatches, "dispatch", "dispatches");
  const x = (ms: number) => (slices * ms) / totals.span;
  return (
    <svg
      class="strip" viewBox={`0 0 ${slices} ${height}`} preserveAspectRatio="none" role="img"
      aria-label={`The run over time: ${plural(totals.turns, "turn")}, ${dispatches}, ${plural(totals.errors, "error")}`}
      onClick={pick}
    >
      {p.selected ? (
        <rect class="strip-selected" x={x(p.selected.from)} y={0} width={Math.max(2, x(p.selected.to - p.selected.from))} height={height} />
      ) : null}
      <path class="strip-flying" d={drawn.flying} />
      <path class="strip-thinking" d={drawn.thinking} />
      <path class="strip-errors" d={drawn.errors} />
    </svg>
  );
}

function distance(row: Row, time: number): number {
  return time < row.from ? row.from - time : time > row.to ? time - row.to : 0;
}

/** One path for each kind of thing, so that the strip of any run is three elements. */
function draw(s: Slices): { flying: string; thinking: string; errors: string } {
  const top = s.flying.reduce((a, b) => Math.max(a, b), 0);
  const bar = (i: number, y: number, h: number) => `M${i} ${y.toFixed(1)}h1v${h.toFixed(1)}h-1z`;
  let flying = "";
  let thinking = "";
  let errors = "";
  for (let i = 0; i < s.flying.length; i++) {
    const high = top > 0 ? ((s.flying[i] ?? 0) / top) * (height - 10) : 0;
    if (high > 0.2) flying += bar(i, height - 4 - high, high);
    if ((s.thinking[i] ?? 0) > 0) thinking += bar(i, height - 3, 3);
    if ((s.errors[i] ?? 0) > 0) errors += bar(i, 0, 4);
  }
  return { flying, thinking, errors };
}

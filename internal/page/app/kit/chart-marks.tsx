/** Charts of marks: distributions, scatter, bars. */
import type { Axis } from "./chart-line";

/** Values by group: dots, quartiles, mean. */
export function Distribution(p: { name: string; title: string; groups: readonly { name: string; values: readonly number[] }[]; percent?: boolean }) {
  return <figure class="chart" aria-label={p.name}><figcaption>{p.title}</figcaption></figure>;
}

/** One point of a Scatter; xci and yci are intervals; href is a route as `href()` writes it. */
export interface Point {
  name: string;
  x: number;
  y: number;
  xci?: readonly [number, number];
  yci?: readonly [number, number];
  href?: string;
}

/** Points in two dimensions. */
export function Scatter(p: { name: string; title: string; x: Axis; y: Axis; points: readonly Point[] }) {
  return <figure class="chart" aria-label={p.name}><figcaption>{p.title}</figcaption></figure>;
}

/** Bars made of parts, one a row. */
export function Bars(p: { name: string; title: string; rows: readonly { name: string; parts: readonly { name: string; value: number }[]; href?: string }[]; percent?: boolean }) {
  return <figure class="chart" aria-label={p.name}><figcaption>{p.title}</figcaption></figure>;
}

/** An interval as a mark on a scale that all rows of a table share. */

/** The room of an interval, in pixels. */
const width = 110;
const height = 16;

/** A value with its interval; `zero` draws the line at 0. Without a label it is for the eye only: then the numbers stand beside it. */
export function Interval(p: {
  value: number; ci: readonly [number, number] | null; from: number; to: number; zero?: boolean; label: string;
}) {
  const x = (v: number) =>
    p.to > p.from ? 4 + ((Math.min(Math.max(v, p.from), p.to) - p.from) / (p.to - p.from)) * (width - 8) : width / 2;
  const tone = p.ci === null || !p.zero ? "" : p.ci[0] > 0 ? " good" : p.ci[1] < 0 ? " bad" : "";
  return (
    <svg
      class={"interval-mark" + tone} {...(p.label === "" ? { "aria-hidden": "true" } : { role: "img", "aria-label": p.label })}
      width={width} height={height} viewBox={`0 0 ${width} ${height}`}
    >
      <line class="interval-axis" x1={4} x2={width - 4} y1={height - 2.5} y2={height - 2.5} />
      {p.zero ? <line class="interval-zero" x1={x(0)} x2={x(0)} y1={0} y2={height} /> : null}
      {p.ci === null ? null : <line class="interval-line" x1={x(p.ci[0])} x2={x(p.ci[1])} y1={6.5} y2={6.5} />}
      <circle class="interval-dot" cx={x(p.value)} cy={6.5} r={3.5} />
    </svg>
  );
}

/** The scale that holds all values and intervals, with 0 in it. */
export function spanOf(values: readonly { value: number; ci: readonly [number, number] | null }[]): { from: number; to: number } {
  let from = 0;
  let to = 0;
  for (const v of values) {
    from = Math.min(from, v.value, v.ci?.[0] ?? 0);
    to = Math.max(to, v.value, v.ci?.[1] ?? 0);
  }
  return { from, to };
}

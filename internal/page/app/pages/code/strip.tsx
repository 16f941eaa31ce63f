/** A file at a glance: a strip beside its code with its holes, what was not answered and the findings, top to bottom. */
import type { Mark } from "../../kit";

type Ranges = readonly (readonly [number, number])[];

/** The strip. A click goes to the line at that height; the keys h, n and p do the same. */
export function Overview(p: {
  lines: number; holes: Ranges; unanswered: Ranges; marks: readonly Mark[]; line?: number; onLine: (line: number) => void;
}) {
  if (p.lines < 2) return null;
  const y = (line: number) => ((line - 1) / p.lines) * 1000;
  const height = (from: number, to: number, least: number) => Math.max(least, ((to - from + 1) / p.lines) * 1000);
  // A file with thousands of holes has no more than the strip has pixels.
  const shown = merge(p.holes, p.lines / 500);
  const open = merge(p.unanswered, p.lines / 500);
  return (
    <div class="file-strip">
      <svg
        viewBox="0 0 12 1000"
        preserveAspectRatio="none"
        aria-hidden="true"
        onClick={(e) => {
          const box = e.currentTarget.getBoundingClientRect();
          p.onLine(Math.min(p.lines, Math.max(1, 1 + Math.floor(((e.clientY - box.top) / box.height) * p.lines))));
        }}
      >
        <rect class="file-strip-seen" width="12" height="1000" />
        {shown.map(([from, to]) => <rect key={from} class="file-strip-hole" y={y(from)} width="12" height={height(from, to, 2)} />)}
        {open.map(([from, to]) => <rect key={from} class="file-strip-open" y={y(from)} width="12" height={height(from, to, 2)} />)}
        {p.marks.slice(0, 2000).map((m, i) => (
          <rect
            key={i} class={"file-strip-mark mark-" + m.severity} x={m.severity === "critical" ? 0 : 4} y={y(m.from)}
            width={m.severity === "critical" ? 12 : 8} height={height(m.from, m.to, 5)}
          />
        ))}
        {p.line === undefined ? null : <rect class="file-strip-line" y={y(p.line)} width="12" height="3" />}
      </svg>
    </div>
  );
}

/** Joins ranges that are nearer than `near` lines. */
function merge(ranges: readonly (readonly [number, number])[], near: number): [number, number][] {
  const out: [number, number][] = [];
  for (const [from, to] of ranges) {
    const last = out[out.length - 1];
    if (last !== undefined && from - last[1] <= near) last[1] = to;
    else out.push([from, to]);
  }
  return out;
}

/** A small stacked bar for a row of a table: what adds to a value to the right of 0, what takes from it to the left. */
import { Key, SceneView } from "./chart";
import { seriesColor } from "./frame";
import type { Scene, Shape } from "./scene";

/** What a bar is made of. */
export interface StackPart {
  name: string;
  value: number;
}

/** The drawing is stretched to its room. */
const width = 200;
const height = 12;

/**
 * The bar. `parts` have the order, and so the colours, of the legend; `from` and `to` are the ends of all bars of the table; `label` says
 * to those who do not see it what is drawn.
 */
export function Stack(p: { parts: readonly StackPart[]; from: number; to: number; label: string; write: (v: number) => string }) {
  return <SceneView scene={stackScene(p.parts, p.from, p.to, p.write)} label={p.label} stretch />;
}

/** The drawing; parts of 0 are not in it. */
export function stackScene(parts: readonly StackPart[], from: number, to: number, write: (v: number) => string): Scene {
  const [low, high] = [Math.min(from, 0), Math.max(to, 0)];
  const x = (v: number) => ((v - low) / (high - low)) * width;
  const shapes: Shape[] = [];
  let [up, down] = [0, 0];
  parts.forEach((q, i) => {
    if (!Number.isFinite(q.value) || q.value === 0) return;
    const start = q.value > 0 ? up : down;
    const end = start + q.value;
    if (q.value > 0) up = end;
    else down = end;
    const [a, b] = [x(Math.min(start, end)), x(Math.max(start, end))];
    shapes.push({ kind: "rect", x: a, y: 0, w: b - a, h: height, color: seriesColor(i), title: `${q.name} ${write(q.value)}` });
  });
  if (low < 0) shapes.push({ kind: "line", points: [[x(0), 0], [x(0), height]], color: "text", width: 1 });
  return { width, height, shapes };
}

/** What the colours of such bars mean; the names of all parts, and which of them there are. */
export function StackLegend(p: { names: readonly string[]; shown: (name: string) => boolean }) {
  return (
    <ul class="legend" aria-label="Colours of the bars">
      {p.names.map((name, i) => (p.shown(name) ? <li key={name}><Key color={seriesColor(i)} />{name}</li> : null))}
    </ul>
  );
}

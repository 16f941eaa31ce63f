/** Charts of marks, drawn by hand: distributions, scatter, bars. */
import { Chart, SceneView, useWidth } from "./chart";
import { decimal, percent } from "./format";
import { asWhole, axisScale, frame, marksFor, rowFrame, seriesColor, type Axis } from "./frame";
import { quantile } from "./quantile";
import { textWidth, type Scene, type Shape } from "./scene";

interface Group {
  name: string;
  values: readonly number[];
}

/** Values by group: every value a dot (in a crowd, bars by how many), the middle half shaded, the median a line. */
export function Distribution(p: { name: string; title: string; groups: readonly Group[]; percent?: boolean; label?: string }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const axis: Axis = { label: p.label ?? "", ...(p.percent ? { percent: true } : {}) };
  const write = (v: number) => (p.percent ? percent(v, 1) : decimal(v));
  const said = p.groups
    .map((g) =>
      g.values.length === 0 ? `${g.name}: no values` : `${g.name}: ${g.values.length} values, median ${write(quantile(g.values, 0.5))}`,
    )
    .join("; ");
  const draw = (w: number) => distributionScene(p.groups, axis, write, w);
  return (
    <Chart name={p.name} title={p.title} legend={[]} scene={draw}>
      <div ref={box}>{width > 0 ? <SceneView scene={draw(width)} label={`${p.title}. ${said}`} /> : null}</div>
    </Chart>
  );
}

function distributionScene(groups: readonly Group[], axis: Axis, write: (v: number) => string, width: number): Scene {
  const rowHeight = 40;
  const xScale = axisScale(axis, groups.flatMap((g) => [...g.values]), marksFor(width * 0.7));
  const f = rowFrame({ width, names: groups.map((g) => g.name), rowHeight, xScale, xLabel: axis.label });
  groups.forEach((g, i) => {
    const values = g.values.filter(Number.isFinite);
    if (values.length === 0) {
      f.shapes.push({ kind: "text", x: f.left + 6, y: f.middle(i) + 4, text: "no values", color: "text-muted" });
      return;
    }
    const color = seriesColor(i);
    const [low, half, high] = [0.25, 0.5, 0.75].map((q) => quantile(values, q)) as [number, number, number];
    const lowest = write(Math.min(...values.slice(0, 50_000)));
    const title = `${g.name}: ${values.length} values, lowest ${lowest}, quartiles ${write(low)}, ${write(half)}, ${write(high)}`;
    f.shapes.push({
      kind: "rect", x: f.x(low), y: f.middle(i) - 14, w: Math.max(1, f.x(high) - f.x(low)), h: 28, color, opacity: 0.16, title,
    });
    f.shapes.push(...swarm(values, f.x, f.middle(i), color, write));
    f.shapes.push({ kind: "line", points: [[f.x(half), f.middle(i) - 16], [f.x(half), f.middle(i) + 16]], color: "text", width: 2, title });
  });
  return { width, height: f.height, shapes: f.shapes };
}

/** Values that fall together, in steps of 5 pixels: dots beside one another, or in a crowd bars as high as it is. */
function swarm(values: readonly number[], x: (v: number) => number, middle: number, color: string, write: (v: number) => string): Shape[] {
  const bins = new Map<number, number[]>();
  for (const v of values) {
    const bin = Math.round(x(v) / 5);
    const held = bins.get(bin);
    if (held === undefined) bins.set(bin, [v]);
    else held.push(v);
  }
  let most = 0;
  for (const held of bins.values()) most = Math.max(most, held.length);
  const out: Shape[] = [];
  for (const [bin, held] of bins) {
    if (most > 7) {
      const h = Math.max(1.5, (30 * held.length) / most);
      const title = `${held.length} of ${values.length} values about ${write(quantile(held, 0.5))}`;
      out.push({ kind: "rect", x: bin * 5 - 2, y: middle - h / 2, w: 4, h, color, title });
    } else {
      held.forEach((v, k) => {
        const y = middle + (k % 2 === 0 ? -1 : 1) * Math.ceil(k / 2) * 4.4;
        out.push({ kind: "dot", x: x(v), y, r: 2.2, color, opacity: 0.75, title: write(v) });
      });
    }
  }
  return out;
}

/** One point of a Scatter; xci and yci are intervals; href is a link as href() writes it. */
export interface Point {
  name: string;
  x: number;
  y: number;
  xci?: readonly [number, number];
  yci?: readonly [number, number];
  href?: string;
}

/** Points in two dimensions, each with its name. `diagonal` draws where both are alike. */
export function Scatter(p: {
  name: string; title: string; x: Axis; y: Axis; points: readonly Point[]; height?: number; diagonal?: boolean;
}) {
  const [box, width] = useWidth<HTMLDivElement>();
  const draw = (w: number) => scatterScene(p.points, p.x, p.y, w, p.height ?? 300, p.diagonal === true);
  return (
    <Chart name={p.name} title={p.title} legend={[]} scene={draw}>
      <div ref={box}>
        {width > 0 ? (
          <SceneView scene={draw(width)} label={`${p.title}. ${p.points.length} points; ${p.x.label} across, ${p.y.label} up.`} />
        ) : null}
      </div>
    </Chart>
  );
}

function scatterScene(points: readonly Point[], xAxis: Axis, yAxis: Axis, width: number, height: number, diagonal: boolean): Scene {
  const good = points.filter((q) => Number.isFinite(q.x) && Number.isFinite(q.y));
  let xs = good.flatMap((q) => [q.x, ...(q.xci ?? [])]);
  let ys = good.flatMap((q) => [q.y, ...(q.yci ?? [])]);
  if (diagonal) xs = ys = [...xs, ...ys]; // one scale for both
  const f = frame({
    width, height, yScale: axisScale(yAxis, ys, 5), yLabel: yAxis.label, xScale: axisScale(xAxis, xs, marksFor(width)), xLabel: xAxis.label,
  });
  const write = (a: Axis, v: number) => (a.percent ? percent(v, 1) : decimal(v));
  const color = "series-1";
  if (diagonal && good.length > 0) {
    const [from, to] = [xAxis.from0 ? Math.min(0, ...xs) : Math.min(...xs), Math.max(...xs)];
    f.shapes.push({ kind: "line", points: [[f.x(from), f.y(from)], [f.x(to), f.y(to)]], color: "line-strong", width: 1 });
  }
  for (const q of good) {
    if (q.xci)
      f.shapes.push({
        kind: "line",
        points: [
          [f.x(q.xci[0]), f.y(q.y)],
          [f.x(q.xci[1]), f.y(q.y)],
        ],
        color: "line-strong", width: 1.5,
      });
    if (q.yci)
      f.shapes.push({
        kind: "line",
        points: [
          [f.x(q.x), f.y(q.yci[0])],
          [f.x(q.x), f.y(q.yci[1])],
        ],
        color: "line-strong", width: 1.5,
      });
  }
  const taken: Rect[] = good.map((q) => ({ x: f.x(q.x) - 5, y: f.y(q.y) - 5, w: 10, h: 10 }));
  const named = good.length <= 40;
  // Names of what lies below the diagonal come first: that is what got worse.
  const order = diagonal ? [...good].sort((a, b) => a.y - a.x - (b.y - b.x)) : good;
  for (const q of order) {
    const [x, y] = [f.x(q.x), f.y(q.y)];
    const link = q.href === undefined ? {} : { href: q.href };
    f.shapes.push({
      kind: "dot", x, y, r: good.length > 200 ? 3 : 4.5, color, opacity: 0.85,
      title: `${q.name}: ${xAxis.label} ${write(xAxis, q.x)}, ${yAxis.label} ${write(yAxis, q.y)}`, ...link,
    });
    const text = q.name.length > 28 ? q.name.slice(0, 12) + "…" + q.name.slice(-15) : q.name; // what tells tasks apart is at their end
    const place = named ? labelPlace(text, x, y, f, taken, good.length <= 16) : null;
    if (place === null) continue;
    // A name that stands apart is joined to its mark.
    const end = place.x > x ? place.x - 1 : place.x + place.w < x ? place.x + place.w + 1 : place.x + place.w / 2;
    if (Math.hypot(end - x, place.y + 6 - y) > 16)
      f.shapes.push({ kind: "line", points: [[x, y], [end, place.y + 6]], color: "line-strong", width: 1 });
    f.shapes.push({ kind: "text", x: place.x, y: place.y + 9, text, color: "text", ...link });
  }
  return { width, height, shapes: f.shapes };
}

interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** Places for a name around a point, as [pixels from it, how far up or down]; the second ring is for crowds. */
function places(w: number, apart: boolean): [number, number][] {
  const near: [number, number][] = [[8, -6], [-8 - w, -6], [-w / 2, -20], [-w / 2, 8], [8, -18], [8, 6]];
  if (!apart) return near;
  const far = [20, 34, 50, 68, 90, 120, 160].flatMap((d): [number, number][] => [
    [d, -6], [-d - w, -6], [-w / 2, -d - 12], [-w / 2, d], [d, -d - 6], [d, d - 6], [-d - w, -d - 6], [-d - w, d - 6],
  ]);
  return [...near, ...far];
}

/** The first place beside a point where its name covers nothing. */
export function labelPlace(
  name: string, x: number, y: number, f: { left: number; right: number; top: number; bottom: number }, taken: Rect[], apart = true,
): Rect | null {
  const w = textWidth(name);
  for (const [dx, dy] of places(w, apart)) {
    const place = { x: x + dx, y: y + dy, w, h: 12 };
    const inside = place.x >= f.left && place.x + w <= f.right + 12 && place.y >= f.top - 8 && place.y + 12 <= f.bottom;
    if (inside && !taken.some((t) => place.x < t.x + t.w && t.x < place.x + w && place.y < t.y + t.h && t.y < place.y + 12)) {
      taken.push(place);
      return place;
    }
  }
  return null;
}

interface Bar {
  name: string;
  parts: readonly { name: string; value: number }[];
  href?: string;
}

/** Bars made of parts, one a row; parts below 0 lie left of 0. */
export function Bars(p: { name: string; title: string; rows: readonly Bar[]; percent?: boolean; label?: string }) {
  const [box, width] = useWidth<HTMLDivElement>();
  const parts = [...new Set(p.rows.flatMap((r) => r.parts.map((q) => q.name)))];
  const write = (v: number) => (p.percent ? percent(v, 1) : decimal(v));
  const draw = (w: number) =>
    barScene(p.rows, parts, { label: p.label ?? "", from0: true, ...(p.percent ? { percent: true } : {}) }, write, w);
  const said = p.rows
    .map((r) => `${r.name}: ${r.parts.map((q) => `${parts.length > 1 ? q.name + " " : ""}${write(q.value)}`).join(", ")}`)
    .join("; ");
  return (
    <Chart name={p.name} title={p.title} legend={parts.map((name, i) => ({ name, color: seriesColor(i) }))} scene={draw}>
      <div ref={box}>{width > 0 ? <SceneView scene={draw(width)} label={`${p.title}. ${said}`} /> : null}</div>
    </Chart>
  );
}

function barScene(rows: readonly Bar[], parts: readonly string[], axis: Axis, write: (v: number) => string, width: number): Scene {
  const sum = (r: Bar, sign: number) => r.parts.reduce((s, q) => (q.value * sign > 0 ? s + q.value : s), 0);
  const totals = rows.map((r) => write(sum(r, 1) + sum(r, -1)));
  const room = Math.max(0, ...totals.map((t) => textWidth(t))) + 8;
  const values = rows.flatMap((r) => [sum(r, 1), sum(r, -1)]);
  const xScale = axisScale(asWhole(axis, values), values, marksFor(width * 0.6));
  const f = rowFrame({ width, names: rows.map((r) => r.name), rowHeight: 26, xScale, xLabel: axis.label, room });
  rows.forEach((r, i) => {
    let [up, down] = [0, 0];
    for (const q of r.parts) {
      if (!Number.isFinite(q.value) || q.value === 0) continue;
      const from = q.value > 0 ? up : down;
      const to = from + q.value;
      if (q.value > 0) up = to;
      else down = to;
      const [a, b] = [f.x(Math.min(from, to)), f.x(Math.max(from, to))];
      f.shapes.push({
        kind: "rect", x: a, y: f.middle(i) - 8, w: Math.max(1, b - a - (parts.length > 1 ? 1 : 0)), h: 16,
        color: seriesColor(parts.indexOf(q.name)), title: `${r.name}${parts.length > 1 ? ", " + q.name : ""}: ${write(q.value)}`,
        ...(r.href === undefined ? {} : { href: r.href }),
      });
    }
    f.shapes.push({ kind: "text", x: f.x(Math.max(up, 0)) + 6, y: f.middle(i) + 4, text: totals[i]!, color: "text" });
  });
  return { width, height: f.height, shapes: f.shapes };
}

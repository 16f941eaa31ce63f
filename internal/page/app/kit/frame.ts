/** The frame of a chart: axes with their marks and labels, the legend, and where a value lies in the drawing. */
import { fit, textWidth, type Scene, type Shape } from "./scene";
import { scale, type Scale } from "./ticks";

/** One axis. */
export interface Axis {
  label: string;
  /** Values are shares of one and written as percent. */
  percent?: boolean;
  /** The axis starts at 0. */
  from0?: boolean;
  /** Values are counts or numbers of things: there is nothing between two of them. */
  whole?: boolean;
}

/** Colours of series, in order; after the last the first comes again. */
const seriesColors = ["series-1", "series-2", "series-3", "series-4", "series-5", "series-6", "series-7", "series-8"];

/** The colour token of the i-th series. */
export function seriesColor(i: number): string {
  return seriesColors[i % seriesColors.length]!;
}

/** A frame to draw in. */
interface Frame {
  shapes: Shape[];
  /** Pixels of a value on either axis. */
  x: (value: number) => number;
  y: (value: number) => number;
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** The vertical axis, horizontal rules, and a horizontal axis where a scale for it is given. */
export function frame(p: {
  width: number; height: number; yScale: Scale; yLabel: string; xScale?: Scale; xLabel?: string; top?: number;
}): Frame {
  const labels = p.yScale.ticks.map(p.yScale.write);
  const left = Math.ceil(Math.max(...labels.map((l) => textWidth(l)))) + (p.yLabel === "" ? 12 : 28);
  const top = p.top ?? 10;
  const right = p.width - 14;
  const bottom = p.height - (p.xLabel ? 40 : 26);
  const y = (v: number) => bottom - ((v - p.yScale.min) / (p.yScale.max - p.yScale.min || 1)) * (bottom - top);
  const xs = p.xScale;
  const x = (v: number) => (xs === undefined ? left : left + ((v - xs.min) / (xs.max - xs.min || 1)) * (right - left));
  const shapes: Shape[] = [];
  p.yScale.ticks.forEach((t, i) => {
    shapes.push({ kind: "line", points: [[left, y(t)], [right, y(t)]], color: t === 0 ? "line-strong" : "line", width: 1 });
    shapes.push({ kind: "text", x: left - 6, y: y(t) + 4, text: labels[i]!, color: "text-muted", anchor: "end" });
  });
  if (p.yLabel !== "")
    shapes.push({
      kind: "text", x: 14, y: (top + bottom) / 2, text: fit(p.yLabel, bottom - top), color: "text-muted", anchor: "middle", upward: true,
    });
  if (xs !== undefined) {
    for (const t of xs.ticks) {
      shapes.push({ kind: "line", points: [[x(t), bottom], [x(t), bottom + 4]], color: "line-strong", width: 1 });
      shapes.push({ kind: "text", x: x(t), y: bottom + 16, text: xs.write(t), color: "text-muted", anchor: "middle" });
    }
  }
  if (p.xLabel)
    shapes.push({
      kind: "text", x: (left + right) / 2, y: p.height - 6, text: fit(p.xLabel, right - left), color: "text-muted", anchor: "middle",
    });
  return { shapes, x, y, left, right, top, bottom };
}

/** A frame of named rows over a horizontal axis. */
interface RowFrame {
  shapes: Shape[];
  x: (value: number) => number;
  /** The middle of a row. */
  middle: (index: number) => number;
  left: number;
  right: number;
  height: number;
}

/** Named rows, vertical rules, the horizontal axis below. */
export function rowFrame(p: {
  width: number; names: readonly string[]; rowHeight: number; xScale: Scale; xLabel?: string; room?: number;
}): RowFrame {
  const longest = Math.max(0, ...p.names.map((n) => textWidth(n, 12)));
  const left = Math.ceil(Math.min(longest, p.width * 0.36)) + 12;
  const right = p.width - 14 - (p.room ?? 0);
  const bottom = 4 + p.names.length * p.rowHeight;
  const x = (v: number) => left + ((v - p.xScale.min) / (p.xScale.max - p.xScale.min || 1)) * (right - left);
  const middle = (i: number) => 4 + (i + 0.5) * p.rowHeight;
  const shapes: Shape[] = [];
  for (const t of p.xScale.ticks) {
    shapes.push({ kind: "line", points: [[x(t), 4], [x(t), bottom + 4]], color: t === 0 ? "line-strong" : "line", width: 1 });
    shapes.push({ kind: "text", x: x(t), y: bottom + 16, text: p.xScale.write(t), color: "text-muted", anchor: "middle" });
  }
  p.names.forEach((name, i) =>
    shapes.push({
      kind: "text", x: left - 8, y: middle(i) + 4, text: fit(name, left - 12, 12), color: "text", size: 12, anchor: "end", title: name,
    }),
  );
  if (p.xLabel)
    shapes.push({
      kind: "text", x: (left + right) / 2, y: bottom + 34, text: fit(p.xLabel, right - left), color: "text-muted", anchor: "middle",
    });
  return { shapes, x, middle, left, right, height: bottom + (p.xLabel ? 40 : 24) };
}

/** A number of marks that fits a width. */
export function marksFor(width: number): number {
  return Math.max(2, Math.min(10, Math.floor(width / 90)));
}

/** The drawing under its title and legend: what leaves the page has to say itself what it shows. */
export function titled(scene: Scene, title: string, legend: readonly { name: string; color: string }[]): Scene {
  const head: Shape[] = [{ kind: "text", x: 12, y: 22, text: fit(title, scene.width - 24, 14), color: "text", size: 14, bold: true }];
  let x = 12;
  let y = 42;
  if (legend.length > 1) {
    for (const entry of legend) {
      const width = textWidth(entry.name) + 30;
      if (x > 12 && x + width > scene.width - 12) {
        x = 12;
        y += 18;
      }
      head.push(
        { kind: "rect", x, y: y - 9, w: 10, h: 10, color: entry.color },
        { kind: "text", x: x + 15, y, text: entry.name, color: "text" },
      );
      x += width;
    }
  } else y = 24;
  const down = y + 12;
  return { width: scene.width, height: scene.height + down, shapes: [...head, ...scene.shapes.map((s) => moved(s, down))] };
}

function moved(s: Shape, down: number): Shape {
  if (s.kind === "line" || s.kind === "area") return { ...s, points: s.points.map(([x, y]) => [x, y + down] as const) };
  return { ...s, y: s.y + down };
}

/** A scale for an axis. */
export function axisScale(axis: Axis, values: Iterable<number>, want: number): Scale {
  const { percent = false, from0 = false, whole = false } = axis;
  return scale(values, { percent, from0, whole, want });
}

/** The axis of values that are all whole has whole marks only. */
export function asWhole(axis: Axis, values: readonly number[]): Axis {
  return !axis.percent && values.length > 0 && values.every(Number.isInteger) ? { ...axis, whole: true } : axis;
}

/** Lines over a common axis: drawn by uPlot on the page, and from the same series when exported. */
import { useEffect, useRef, useState } from "preact/hooks";
import uPlot from "uplot";
import { Chart, pagePalette, useThemeChanges, useWidth } from "./chart";
import { decimal, percent } from "./format";
import { asWhole, axisScale, frame, marksFor, seriesColor, type Axis } from "./frame";
import type { Scene } from "./scene";
import { writer } from "./ticks";
export type { Axis } from "./frame";


/** One line of a LineChart. */
export interface Series {
  name: string;
  /** [x, y] in the order of x; null breaks the line. */
  points: readonly (readonly [number, number | null])[];
  /** [x, low, high]: an interval around the line. */
  band?: readonly (readonly [number, number, number])[];
  /** Whether each point gets a dot. Defaults to true up to 60 points. */
  marks?: boolean;
  /** Drawn pale and named nowhere: what a smoothed line of the same name was made of. */
  faint?: boolean;
}

interface Props {
  /** The name of exported files. */
  name: string;
  title: string;
  x: Axis;
  y: Axis;
  series: readonly Series[];
  /** A click or Enter calls it with the nearest x. */
  onPick?: (x: number) => void;
  /** Pixels. Defaults to 240. */
  height?: number;
}

/** Lines, with bands for intervals. Arrow keys move the cursor; the values under it are told in words. */
export function LineChart(props: Props) {
  const p = { ...props, x: asWhole(props.x, allX(props.series)), y: asWhole(props.y, allY(props.series)) };
  const [box, width] = useWidth<HTMLDivElement>();
  const plot = useRef<uPlot | null>(null);
  const theme = useThemeChanges();
  const [hidden, setHidden] = useState<readonly string[]>([]);
  const [at, setAt] = useState<number | null>(null);
  const height = p.height ?? 240;
  const shown = p.series.filter((s) => !hidden.includes(s.name));
  const xs = allX(shown);
  const data = columns(xs, shown);
  const pick = useRef<() => void>(() => undefined);
  pick.current = () => at !== null && xs[at] !== undefined && p.onPick?.(xs[at]!);

  const shape = JSON.stringify([p.series.map((s) => [s.name, s.band !== undefined, s.marks, s.faint]), hidden, p.x, p.y, height]);
  useEffect(() => {
    const el = box.current;
    if (el === null || width === 0 || shown.length === 0) return undefined;
    const made = new uPlot(options(p, shown, (s) => colorOf(p.series, s), width, height, setAt), data, el);
    made.over.addEventListener("click", () => pick.current());
    plot.current = made;
    return () => {
      plot.current = null;
      made.destroy();
    };
  }, [shape, theme, width === 0]);
  useEffect(() => plot.current?.setSize({ width, height }), [width, height]);
  useEffect(() => {
    const u = plot.current;
    if (u === null) return;
    // Who looks closer keeps what they look at while new values come.
    const old = u.data[0];
    const { min, max } = u.scales["x"] ?? {};
    const closer = old.length > 1 && min != null && max != null && (min > old[0]! || max < old[old.length - 1]!);
    u.setData(data, !closer);
    if (closer) u.redraw();
  }, [p.series]);

  const write = (axis: Axis, v: number) => (axis.percent ? percent(v, 1) : decimal(v, 4));
  const said =
    at === null || xs[at] === undefined
      ? ""
      : `${p.x.label} ${write(p.x, xs[at]!)}: ` +
        shown
          .flatMap((s, i) => (s.faint ? [] : [`${s.name} ${valueAt(data, shown, i, at, (v) => write(p.y, v))}`]))
          .join(", ");
  const move = (event: KeyboardEvent) => {
    const u = plot.current;
    if (u === null || xs.length === 0) return;
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity }[event.key];
    if (event.key === "Enter") pick.current();
    else if (step === undefined) return;
    else {
      const next = Math.max(0, Math.min(xs.length - 1, (at ?? (step > 0 ? -1 : xs.length)) + step));
      u.setCursor({ left: u.valToPos(xs[next]!, "x"), top: 10 });
      setAt(next);
    }
    event.preventDefault();
  };
  const legend = named(p.series).map((s) => ({ name: s.name, color: colorOf(p.series, s), hidden: hidden.includes(s.name) }));
  return (
    <Chart
      name={p.name} title={p.title} legend={legend} scene={(w) => lineScene({ ...p, series: p.series }, w, 360, hidden)}
      onLegend={(i) =>
        setHidden((old) => (old.includes(legend[i]!.name) ? old.filter((n) => n !== legend[i]!.name) : [...old, legend[i]!.name]))
      }
    >
      <div
        ref={box} class={"plot" + (p.onPick ? " pickable" : "")} style={{ minHeight: `${height}px` }} role="application" tabIndex={0}
        aria-label={`${p.title}. ${summary(p)}. Arrow keys read values.`} onKeyDown={move}
      />
      <p class="plot-values" aria-live="polite">{said || " "}</p>
    </Chart>
  );
}

/** The lines that have a name of their own. */
function named(series: readonly Series[]): Series[] {
  return series.filter((s) => !s.faint);
}

/** The colour token of a line: a faint one has that of the line of its name. */
function colorOf(series: readonly Series[], s: Series): string {
  return seriesColor(Math.max(0, named(series).findIndex((other) => other.name === s.name)));
}

function summary(p: Props): string {
  return named(p.series).map((s) => {
    const ys = s.points.map(([, y]) => y).filter((y): y is number => y !== null);
    const write = (v: number | undefined) => (v === undefined ? "?" : p.y.percent ? percent(v, 1) : decimal(v));
    return ys.length === 0 ? `${s.name}: no values` : `${s.name}: ${ys.length} values, from ${write(ys[0])} to ${write(ys[ys.length - 1])}`;
  }).join("; ");
}

function allX(series: readonly Series[]): number[] {
  const xs = new Set<number>();
  for (const s of series) {
    for (const [x] of s.points) if (Number.isFinite(x)) xs.add(x);
    for (const [x] of s.band ?? []) if (Number.isFinite(x)) xs.add(x);
  }
  return [...xs].sort((a, b) => a - b);
}

function allY(series: readonly Series[]): number[] {
  const points = series.flatMap((s) => s.points.flatMap(([, y]) => (y === null ? [] : [y])));
  return [...points, ...series.flatMap((s) => (s.band ?? []).flatMap(([, low, high]) => [low, high]))];
}

type ColumnsOf = [number[], ...(number | null | undefined)[][]];

/** uPlot's form: one common column of x, then for each series its y and, with a band, high and low. */
function columns(xs: number[], series: readonly Series[]): ColumnsOf {
  const out: ColumnsOf = [xs];
  for (const s of series) {
    const y = new Map(s.points.map(([x, v]) => [x, v]));
    out.push(xs.map((x) => y.get(x)));
    if (s.band !== undefined) {
      const band = new Map(s.band.map(([x, low, high]) => [x, [low, high] as const]));
      out.push(xs.map((x) => band.get(x)?.[1]), xs.map((x) => band.get(x)?.[0]));
    }
  }
  return out;
}

function columnOf(series: readonly Series[], index: number): number {
  let at = 1;
  for (let i = 0; i < index; i++) at += series[i]!.band === undefined ? 1 : 3;
  return at;
}

function valueAt(data: ColumnsOf, series: readonly Series[], index: number, at: number, write: (v: number) => string): string {
  const column = columnOf(series, index);
  const y = data[column]?.[at];
  if (y === null || y === undefined) return "–";
  if (series[index]!.band === undefined) return write(y);
  const high = data[column + 1]?.[at];
  const low = data[column + 2]?.[at];
  return low === null || low === undefined || high === null || high === undefined
    ? write(y)
    : `${write(y)} [${write(low)}, ${write(high)}]`;
}

function options(
  p: Props, series: readonly Series[], colorOf: (s: Series) => string, width: number, height: number, onIndex: (i: number | null) => void,
): uPlot.Options {
  const color = pagePalette();
  const lines: uPlot.Series[] = [{}];
  const bands: uPlot.Band[] = [];
  for (const s of series) {
    const stroke = color(colorOf(s));
    const marks = !s.faint && (s.marks ?? s.points.length <= 60);
    lines.push({
      stroke: s.faint ? withAlpha(stroke) : stroke, width: s.faint ? 1 : 1.75, points: { show: marks, size: 5, fill: stroke },
      spanGaps: false,
    });
    if (s.band !== undefined) {
      const at = lines.length;
      const edge: uPlot.Series = { stroke: "transparent", width: 0, points: { show: false } };
      lines.push(edge, { ...edge });
      bands.push({ series: [at, at + 1], fill: withAlpha(stroke) });
    }
  }
  const range = (axis: Axis): uPlot.Scale.Range => (_u, min, max) => {
    const s = axisScale(axis, [min ?? 0, max ?? 1], 5);
    return [s.min, s.max];
  };
  const axis = (a: Axis, size: number): uPlot.Axis => ({
    label: a.label,
    labelSize: 14,
    labelGap: 0,
    labelFont: "11px system-ui, sans-serif",
    font: "11px system-ui, sans-serif",
    stroke: color("text-muted"),
    size,
    grid: { stroke: color("line"), width: 1 },
    ticks: { stroke: color("line-strong"), width: 1, size: 4 },
    values: (_u, splits) => {
      const step = splits.length > 1 ? splits[1]! - splits[0]! : 1;
      return splits.map(writer(step, a.percent ?? false));
    },
  });
  return {
    width,
    height,
    series: lines,
    bands,
    scales: { x: { time: false }, y: { range: range(p.y) } },
    axes: [
      { ...axis(p.x, 26), ...(p.x.whole ? { incrs: wholeSteps } : {}) },
      { ...axis(p.y, 52), splits: (_u, _i, min, max) => axisScale(p.y, [min, max], 5).ticks },
    ],
    legend: { show: false },
    cursor: { y: false, drag: { x: true, y: false, setScale: true }, points: { size: 7 } },
    hooks: { setCursor: [(u) => onIndex(u.cursor.idx ?? null)] },
  };
}

/** The steps between marks on an axis of whole numbers. */
const wholeSteps = [0, 1, 2, 3, 4, 5, 6, 7, 8].flatMap((power) => [1, 2, 5].map((n) => n * 10 ** power));

/** A colour of the palette (#rrggbb) at a band's strength. */
function withAlpha(color: string): string {
  return /^#[0-9a-f]{6}$/i.test(color) ? color + "33" : color;
}

/** The chart as a drawing, for export. */
function lineScene(
  p: { x: Axis; y: Axis; series: readonly Series[] }, width: number, height: number, hidden: readonly string[] = [],
): Scene {
  const series = named(p.series).map((s) => ({ s, color: colorOf(p.series, s) })).filter(({ s }) => !hidden.includes(s.name));
  const xs = allX(series.map(({ s }) => s));
  const ys = allY(series.map(({ s }) => s));
  const f = frame({
    width, height, yScale: axisScale(p.y, ys, 5), yLabel: p.y.label, xScale: axisScale(p.x, xs, marksFor(width)), xLabel: p.x.label,
  });
  for (const { s, color } of series) {
    if (s.band !== undefined && s.band.length > 1) {
      f.shapes.push({
        kind: "area",
        points: [
          ...s.band.map(([x, , high]) => [f.x(x), f.y(high)] as const),
          ...[...s.band].reverse().map(([x, low]) => [f.x(x), f.y(low)] as const),
        ],
        color, opacity: 0.2,
      });
    }
    let run: [number, number][] = [];
    const end = () => {
      if (run.length > 1) f.shapes.push({ kind: "line", points: run, color, width: 1.75 });
      run = [];
    };
    for (const [x, y] of s.points) {
      if (y === null) end();
      else run.push([f.x(x), f.y(y)]);
    }
    end();
    if (s.marks ?? s.points.length <= 60) {
      for (const [x, y] of s.points) if (y !== null) f.shapes.push({ kind: "dot", x: f.x(x), y: f.y(y), r: 2.5, color });
    }
  }
  return { width, height, shapes: f.shapes };
}

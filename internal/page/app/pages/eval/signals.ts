/** What gave the scores of ranked places, arranged for bars and tables. */
import type { EvalRollout, LevelName, LocatedLevel, LocatedPlace } from "../../documents";
import { minus, type StackPart } from "../../kit";

/** Signals that have a colour of their own; what is left is one part, "others". */
const coloured = 7;
const others = "others";

/** The signals of places, those that moved the scores most first, each with its share of all that moved them. */
function shares(places: readonly LocatedPlace[]): Map<string, number> {
  const moved = new Map<string, number>();
  let all = 0;
  for (const s of places.flatMap((p) => p.why)) {
    moved.set(s.name, (moved.get(s.name) ?? 0) + Math.abs(s.value));
    all += Math.abs(s.value);
  }
  return new Map([...moved].sort((a, b) => b[1] - a[1]).map(([name, v]) => [name, all > 0 ? v / all : 0]));
}

/** The signals of a ranking, those that moved the scores most first. */
export function signalsOf(level: LocatedLevel): string[] {
  return [...shares(level.places).keys()];
}

/**
 * The parts of all rankings' bars, so that a colour means one signal on the whole page; the last are the others where there are some.
 * Lines have the signals of their functions.
 */
export function partNames(levels: readonly LocatedLevel[]): string[] {
  const total = new Map<string, number>();
  for (const l of levels) {
    if (l.level === "lines") continue;
    for (const [name, share] of shares(l.places)) total.set(name, (total.get(name) ?? 0) + share);
  }
  const names = [...total].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  return names.length > coloured + 1 ? [...names.slice(0, coloured), others] : names;
}

/** What a signal gave to a place; null where it gave nothing. */
export function given(p: LocatedPlace, signal: string): number | null {
  const all = p.why.filter((s) => s.name === signal);
  return all.length === 0 ? null : all.reduce((sum, s) => sum + s.value, 0);
}

/** The bar of a place: what each part gave, and the last one whatever has no part of its own. */
export function partsOf(p: LocatedPlace, names: readonly string[]): StackPart[] {
  const parts = names.map((name) => ({ name, value: name === others ? 0 : (given(p, name) ?? 0) }));
  const rest = parts.find((q) => q.name === others);
  if (rest !== undefined) rest.value = p.why.reduce((sum, s) => (s.name === others || !names.includes(s.name) ? sum + s.value : sum), 0);
  return parts;
}

/** Where the bars of places end, below 0 and above. */
export function extent(bars: readonly (readonly StackPart[])[]): { from: number; to: number } {
  const sum = (parts: readonly StackPart[], sign: number) => parts.reduce((s, q) => (q.value * sign > 0 ? s + q.value : s), 0);
  return { from: Math.min(0, ...bars.map((b) => sum(b, -1))), to: Math.max(0, ...bars.map((b) => sum(b, 1))) };
}

/** All signals of a place in words, the strongest first: "words 2.40, graph −0.50". */
export function saidOf(p: LocatedPlace): string {
  return [...p.why].sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).map((s) => `${s.name} ${figure(s.value)}`).join(", ");
}

/** A score, or a part of it. */
export function figure(v: number): string {
  return minus(v.toFixed(2));
}

const prefixes: { readonly [level in LevelName]: string } = { files: "", functions: "function_", lines: "line_" };

/** The cut-offs of the metrics. */
export const cutOffs = [1, 3, 5, 10] as const;

/** A metric of a level as the rollout says it; undefined where it does not. */
export function metricOf(metrics: EvalRollout["metrics"], level: LevelName, k: number): number | undefined {
  return metrics.find((m) => m.name === `${prefixes[level]}acc@${k}`)?.value;
}

/** How much of the gold of a level is among the places that are shown. */
export function goldIn(level: LocatedLevel): number {
  return level.gold - level.missed.reduce((sum, p) => sum + p.gold, 0);
}

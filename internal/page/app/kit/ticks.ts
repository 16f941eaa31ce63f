/** Where an axis is marked, and how its numbers are written. */

import { minus } from "./format";

/** A range and the round numbers on it. */
export interface Scale {
  min: number;
  max: number;
  ticks: number[];
  /** Writes a value of this axis, with as many digits as its step needs. */
  write: (value: number) => string;
}

/** The smallest range of round numbers around all values, with about `want` marks. */
export function scale(
  values: Iterable<number>, options: { percent?: boolean; from0?: boolean; whole?: boolean; want?: number } = {},
): Scale {
  let min = Infinity;
  let max = -Infinity;
  for (const v of values) {
    if (!Number.isFinite(v)) continue;
    if (v < min) min = v;
    if (v > max) max = v;
  }
  if (min > max) [min, max] = [0, 1];
  if (options.from0) {
    min = Math.min(0, min);
    max = Math.max(0, max);
  }
  if (min === max) {
    const room = min === 0 ? 1 : Math.abs(min) / 2;
    if (!(options.from0 && min === 0)) min -= room;
    max += room;
  }
  const rough = roundStep((max - min) / Math.max(1, options.want ?? 5));
  const step = options.whole ? Math.max(1, rough) : rough;
  const first = Math.floor(min / step + 1e-9);
  const last = Math.ceil(max / step - 1e-9);
  const ticks: number[] = [];
  for (let i = first; i <= last; i++) ticks.push(clean(i * step));
  return { min: ticks[0]!, max: ticks[ticks.length - 1]!, ticks, write: writer(step, options.percent ?? false) };
}

function roundStep(rough: number): number {
  const power = 10 ** Math.floor(Math.log10(rough));
  const share = rough / power;
  return power * (share <= 1.0001 ? 1 : share <= 2.0001 ? 2 : share <= 5.0001 ? 5 : 10);
}

function clean(n: number): number {
  return Number(n.toPrecision(12));
}

/** How numbers on an axis with this step are written. */
export function writer(step: number, percent: boolean): (value: number) => string {
  const shown = percent ? step * 100 : step;
  let digits = Math.min(6, Math.max(0, -Math.floor(Math.log10(shown) + 1e-9)));
  const rest = (shown * 10 ** digits) % 1;
  if (digits < 6 && rest > 1e-6 && rest < 1 - 1e-6) digits++; // a step of 2.5, or of 0.025
  if (percent) return (v) => minus((v * 100).toFixed(digits)) + "%";
  if (step >= 1e6) return (v) => trim(v / 1e6) + "M";
  if (step >= 1e4) return (v) => (v === 0 ? "0" : trim(v / 1e3) + "k");
  if (step < 1e-6) return (v) => (v === 0 ? "0" : minus(v.toExponential(1)));
  return (v) => minus(v.toFixed(digits));
}

function trim(n: number): string {
  return minus(String(Number(n.toFixed(3))));
}

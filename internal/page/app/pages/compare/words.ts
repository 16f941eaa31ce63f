/** How numbers of a comparison are written. */
import type { CompareReport, CompareTrend } from "../../documents";

/** Percentage points with their sign: +3.0 pp. */
export function points(pp: number, digits = 1): string {
  return (pp < 0 ? "−" : "+") + Math.abs(pp).toFixed(digits);
}

/** A probability: 0.031, 0.50, or < 0.001. */
export function chance(p: number): string {
  if (p < 0.001) return "<0.001";
  return p < 0.1 ? p.toFixed(3) : p.toFixed(2);
}

/** Percentage points as an interval: −2.8 to +8.7. */
export function between(ci: readonly [number, number] | null): string {
  return ci === null ? "?" : `${points(ci[0])} to ${points(ci[1])}`;
}

/** Shares of one as an interval in percent: 3.7 to 14.6. */
export function shares(ci: readonly [number, number] | null): string {
  return ci === null ? "?" : `${(100 * ci[0]).toFixed(1)} to ${(100 * ci[1]).toFixed(1)}`;
}

/** What a test of a comparison is called. */
export function testName(test: string): string {
  return test === "mcnemar-exact" ? "exact McNemar" : test === "sign-flip" ? "sign-flip permutation" : test;
}

/** The lines through all bases, the first base's first. */
export function trends(report: CompareReport): CompareTrend[] {
  return [...(report.trend ? [report.trend] : []), ...report.further_trends];
}

/** What the sizes count, with a capital. */
export function sizeTitle(report: CompareReport): string {
  const unit = trends(report)[0]?.unit ?? "size";
  return unit.slice(0, 1).toUpperCase() + unit.slice(1);
}

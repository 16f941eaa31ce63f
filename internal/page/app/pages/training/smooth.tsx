/** Smoothing: noisy curves as running means, beside what each step was. */
import type { Series } from "../../kit";
import { setQuery, useRoute } from "../../kit";

/** Steps that a mean is taken over. */
export const windows = [1, 5, 15, 51] as const;

/** The window that the query asks for: 1 is no smoothing. */
export function useWindow(): number {
  const asked = Number(useRoute().query["smooth"]);
  return windows.find((w) => w === asked) ?? 1;
}

/** Chooses the window. */
export function SmoothControl() {
  const chosen = useWindow();
  return (
    <label class="inline">
      Smoothing{" "}
      <select value={String(chosen)} onChange={(e) => setQuery({ smooth: e.currentTarget.value === "1" ? "" : e.currentTarget.value })}>
        {windows.map((w) => <option key={w} value={String(w)}>{w === 1 ? "none" : `mean of ${w} steps`}</option>)}
      </select>
    </label>
  );
}

/** The running mean over `window` points around each; at the ends over as many as there are. A gap stays one. */
export function smoothed(points: Series["points"], window: number): [number, number | null][] {
  const half = Math.floor(window / 2);
  const sums = [0];
  const known = [0];
  points.forEach(([, y], i) => {
    sums.push(sums[i]! + (y ?? 0));
    known.push(known[i]! + (y === null ? 0 : 1));
  });
  return points.map(([x, y], i) => {
    // As far to either side, so that a rise at the end is not drawn before it came.
    const reach = Math.min(half, i, points.length - 1 - i);
    const [from, to] = [i - reach, i + reach + 1];
    return [x, y === null ? null : (sums[to]! - sums[from]!) / (known[to]! - known[from]!)];
  });
}

/** Lines with their running means; lines of few points, which are measures in between, stay as they are. */
export function withMeans(series: readonly Series[], window: number): Series[] {
  if (window <= 1) return [...series];
  return series.flatMap((s) =>
    s.marks || s.points.length < 3
      ? [s]
      : [{ ...s, points: smoothed(s.points, window), marks: false }, { name: s.name, points: s.points, faint: true, marks: false }],
  );
}

/** Holes: the lines of a file that no worker saw. */

/** The ranges of 1..lines that no range of `covered` holds; `covered` is sorted. */
export function holes(covered: readonly (readonly [number, number])[], lines: number): [number, number][] {
  const out: [number, number][] = [];
  let next = 1;
  for (const [from, to] of covered) {
    if (from > next) out.push([next, Math.min(from - 1, lines)]);
    next = Math.max(next, to + 1);
    if (next > lines) break;
  }
  if (next <= lines) out.push([next, lines]);
  return out;
}

/** The first of the rising lines behind `at` (or before it), going around at the end; undefined when there is none. */
export function step(starts: readonly number[], at: number, direction: 1 | -1): number | undefined {
  if (direction === 1) return starts.find((s) => s > at) ?? starts[0];
  for (let i = starts.length - 1; i >= 0; i--) {
    const s = starts[i];
    if (s !== undefined && s < at) return s;
  }
  return starts[starts.length - 1];
}

/** Holes: the lines of a file that were not reviewed. No worker saw them, or none answered. */

/** The lines of `all` that are not in `some`; both are sorted. */
export function without(all: readonly (readonly [number, number])[], some: readonly (readonly [number, number])[]): [number, number][] {
  const out: [number, number][] = [];
  let i = 0;
  for (const [first, to] of all) {
    let from = first;
    while (i < some.length && some[i]![1] < from) i++;
    for (let k = i; k < some.length && some[k]![0] <= to; k++) {
      if (some[k]![0] > from) out.push([from, some[k]![0] - 1]);
      from = some[k]![1] + 1;
    }
    if (from <= to) out.push([from, to]);
  }
  return out;
}

/** The ranges of 1..lines that no range of `covered` holds; `covered` is sorted. */
export function holes(covered: readonly (readonly [number, number])[], lines: number): [number, number][] {
  return lines > 0 ? without([[1, lines]], covered) : [];
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

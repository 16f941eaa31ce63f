/**
 * What differs between two texts: lines by Myers' algorithm, then the words of lines that were replaced. The work is
 * bounded: texts that differ in too much are compared by the lines that each of them holds once (patience), and
 * what lies between those is taken as replaced.
 */

/** One line of a difference. */
export interface DiffLine {
  op: "same" | "del" | "add";
  /** Line numbers from 1, where the text has the line. */
  before?: number;
  after?: number;
  text: string;
  /** What changed within the line: [from, to) in its characters. Absent: all of it, or nothing. */
  words?: [number, number][];
}

/** Edits to which Myers' algorithm goes on a pair of texts; memory grows with their square. */
const maxEdits = 1200;
const maxWordEdits = 120;
const maxWordLine = 2000;

/** Compares two texts line by line. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === "" ? [] : before.split("\n");
  const b = after === "" ? [] : after.split("\n");
  const pairs = matches(a, b, maxEdits) ?? anchored(a, b);
  const out: DiffLine[] = [];
  let i = 0;
  let j = 0;
  const replaced = (toA: number, toB: number) => {
    const del: DiffLine[] = [];
    const add: DiffLine[] = [];
    for (; i < toA; i++) del.push({ op: "del", before: i + 1, text: a[i]! });
    for (; j < toB; j++) add.push({ op: "add", after: j + 1, text: b[j]! });
    for (let k = 0; k < del.length && k < add.length; k++) diffWords(del[k]!, add[k]!);
    out.push(...del, ...add);
  };
  for (const [x, y] of pairs) {
    replaced(x, y);
    out.push({ op: "same", before: x + 1, after: y + 1, text: a[x]! });
    i = x + 1;
    j = y + 1;
  }
  replaced(a.length, b.length);
  return out;
}

/** Marks the words that differ, where enough of the two lines is the same for it to help. */
function diffWords(del: DiffLine, add: DiffLine): void {
  if (del.text.length > maxWordLine || add.text.length > maxWordLine) return;
  const a = words(del.text);
  const b = words(add.text);
  const pairs = matches(a, b, maxWordEdits);
  if (pairs === null) return;
  let kept = 0;
  for (const [x] of pairs) kept += a[x]!.trim().length;
  if (kept * 3 < Math.min(del.text.trim().length, add.text.trim().length)) return;
  del.words = gaps(a, pairs.map(([x]) => x));
  add.words = gaps(b, pairs.map(([, y]) => y));
}

function words(line: string): string[] {
  return line.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** The ranges of characters that no kept word covers. */
function gaps(all: string[], kept: number[]): [number, number][] {
  const out: [number, number][] = [];
  let at = 0;
  let k = 0;
  for (let i = 0; i < all.length; i++) {
    const end = at + all[i]!.length;
    if (kept[k] === i) k++;
    else if (out.length > 0 && out[out.length - 1]![1] === at) out[out.length - 1]![1] = end;
    else out.push([at, end]);
    at = end;
  }
  return out;
}

/** The pairs of equal elements on a shortest edit path, or null when that needs more than `limit` edits. */
export function matches(a: readonly string[], b: readonly string[], limit: number): [number, number][] | null {
  let head = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  let tail = 0;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const middle = myers(a.slice(head, a.length - tail), b.slice(head, b.length - tail), limit);
  if (middle === null) return null;
  const out: [number, number][] = [];
  for (let i = 0; i < head; i++) out.push([i, i]);
  for (const [x, y] of middle) out.push([x + head, y + head]);
  for (let i = tail; i > 0; i--) out.push([a.length - i, b.length - i]);
  return out;
}

function myers(a: readonly string[], b: readonly string[], limit: number): [number, number][] | null {
  const n = a.length;
  const m = b.length;
  if (n === 0 || m === 0) return [];
  const bound = Math.min(limit, n + m);
  const furthest = new Int32Array(2 * bound + 3);
  const zero = bound + 1;
  const steps: Int32Array[] = [];
  for (let d = 0; d <= bound; d++) {
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && furthest[zero + k - 1]! < furthest[zero + k + 1]!);
      let x = down ? furthest[zero + k + 1]! : furthest[zero + k - 1]! + 1;
      let y = x - k;
      while (x < n && y < m && a[x] === b[y]) {
        x++;
        y++;
      }
      furthest[zero + k] = x;
      if (x >= n && y >= m) return walkBack(a, b, steps, d);
    }
    // Only the diagonals that step d touched are kept: what step d + 1 of the way back reads.
    steps.push(furthest.slice(zero - d, zero + d + 1));
  }
  return null;
}

function walkBack(a: readonly string[], b: readonly string[], steps: Int32Array[], edits: number): [number, number][] {
  const out: [number, number][] = [];
  let x = a.length;
  let y = b.length;
  for (let d = edits; d > 0; d--) {
    const row = steps[d - 1]!;
    const at = (k: number) => row[k + d - 1] ?? -1;
    const k = x - y;
    const down = k === -d || (k !== d && at(k - 1) < at(k + 1));
    const from = down ? k + 1 : k - 1;
    const fromX = at(from);
    const fromY = fromX - from;
    const turnX = down ? fromX : fromX + 1;
    while (x > turnX) out.push([--x, --y]);
    x = fromX;
    y = fromY;
  }
  while (x > 0 && y > 0) out.push([--x, --y]);
  return out.reverse();
}

/** Pairs of equal lines for texts that are too different for Myers: lines that stand once in each, in order, and their equal neighbours. */
function anchored(a: readonly string[], b: readonly string[]): [number, number][] {
  const onceB = once(b);
  const candidates: [number, number][] = [];
  for (const [line, x] of once(a)) {
    const y = onceB.get(line);
    if (x >= 0 && y !== undefined && y >= 0) candidates.push([x, y]);
  }
  candidates.sort((p, q) => p[0] - q[0]);
  const out: [number, number][] = [];
  let fromA = 0;
  let fromB = 0;
  for (const [x, y] of rising(candidates)) {
    if (x < fromA || y < fromB) continue;
    let back = 0;
    while (x - back > fromA && y - back > fromB && a[x - back - 1] === b[y - back - 1]) back++;
    for (let i = back; i > 0; i--) out.push([x - i, y - i]);
    fromA = x;
    fromB = y;
    while (fromA < a.length && fromB < b.length && a[fromA] === b[fromB]) out.push([fromA++, fromB++]);
  }
  return out;
}

/** Each line and where it stands, -1 when that is not the only place. */
function once(lines: readonly string[]): Map<string, number> {
  const places = new Map<string, number>();
  lines.forEach((line, i) => places.set(line, places.has(line) ? -1 : i));
  return places;
}

/** The longest subsequence whose second numbers rise; the first ones rise already. */
function rising(pairs: [number, number][]): [number, number][] {
  const ends: number[] = [];
  const previous = new Int32Array(pairs.length).fill(-1);
  pairs.forEach(([, y], i) => {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const mid = (low + high) >> 1;
      if (pairs[ends[mid]!]![1] < y) low = mid + 1;
      else high = mid;
    }
    if (low > 0) previous[i] = ends[low - 1]!;
    ends[low] = i;
  });
  const out: [number, number][] = [];
  for (let i = ends.length > 0 ? ends[ends.length - 1]! : -1; i >= 0; i = previous[i]!) out.push(pairs[i]!);
  return out.reverse();
}

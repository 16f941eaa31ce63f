/**
 * Where the rows of a long list lie when not all heights are known: estimates until a row was drawn, its measured
 * height from then on. Positions and rows are found in logarithmic time (a Fenwick tree over the heights).
 */
export class Heights {
  readonly count: number;
  private readonly heights: Float64Array;
  private readonly sums: Float64Array;
  private readonly highest: number;

  /** `estimate` gives a row's height in pixels before it was measured. */
  constructor(count: number, estimate: (index: number) => number) {
    this.count = count;
    this.heights = new Float64Array(count);
    this.sums = new Float64Array(count + 1);
    for (let i = 0; i < count; i++) {
      const height = Math.max(1, estimate(i));
      this.heights[i] = height;
      this.sums[i + 1] = height;
    }
    for (let i = 1; i <= count; i++) {
      const parent = i + (i & -i);
      if (parent <= count) this.sums[parent]! += this.sums[i]!;
    }
    let bit = 1;
    while (bit * 2 <= count) bit *= 2;
    this.highest = count === 0 ? 0 : bit;
  }

  /** A row's height. */
  height(index: number): number {
    return this.heights[index] ?? 0;
  }

  /** Takes a measured height; the answer is by how much the row grew. */
  set(index: number, height: number): number {
    const grown = height - this.height(index);
    if (grown === 0 || index < 0 || index >= this.count) return 0;
    this.heights[index] = height;
    for (let i = index + 1; i <= this.count; i += i & -i) this.sums[i]! += grown;
    return grown;
  }

  /** Where a row begins; offset(count) is the height of all. */
  offset(index: number): number {
    let sum = 0;
    for (let i = Math.min(index, this.count); i > 0; i -= i & -i) sum += this.sums[i]!;
    return sum;
  }

  /** The height of all rows. */
  get total(): number {
    return this.offset(this.count);
  }

  /** The row at a position; the first or last row for positions outside. */
  at(position: number): number {
    let index = 0;
    let rest = position;
    for (let bit = this.highest; bit > 0; bit >>= 1) {
      const next = index + bit;
      if (next <= this.count && this.sums[next]! <= rest) {
        index = next;
        rest -= this.sums[next]!;
      }
    }
    return Math.max(0, Math.min(index, this.count - 1));
  }
}

/** How values are written. Unknown is never zero: null is written "?". */

/** US dollars, with as many digits as a small sum needs; "?" where a price is unknown. */
export function money(usd: number | null | undefined): string {
  if (usd === null || usd === undefined || !Number.isFinite(usd)) return "?";
  const size = Math.abs(usd);
  if (size === 0) return "$0.00";
  if (size < 0.0001) return "<$0.0001";
  return (usd < 0 ? "\u2212$" : "$") + size.toFixed(size < 0.01 ? 4 : size < 1 ? 3 : 2);
}

/** A duration: 840 ms, 12.3 s, 4 min 05 s, 2 h 10 min. */
export function seconds(s: number | null | undefined): string {
  if (s === null || s === undefined || !Number.isFinite(s)) return "?";
  if (s < 0.0005) return "0 s";
  if (s < 1) return `${Math.round(s * 1000)} ms`;
  if (s < 59.95) return `${s.toFixed(s < 10 ? 2 : 1)} s`;
  const whole = Math.round(s);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, "0")} s`;
  return `${Math.floor(whole / 3600)} h ${String(Math.floor((whole % 3600) / 60)).padStart(2, "0")} min`;
}

/** A whole number with thin groups: 12,345. */
export function count(n: number | null | undefined): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return "?";
  return Math.round(n).toLocaleString("en-US");
}

/** A share of one as percent: percent(0.125, 1) is 12.5%. */
export function percent(share: number | null | undefined, digits = 0): string {
  if (share === null || share === undefined || !Number.isFinite(share)) return "?";
  return minus((share * 100).toFixed(digits)) + "%";
}

/** A number with at most `digits` decimals and no needless zeros. */
export function decimal(n: number | null | undefined, digits = 3): string {
  if (n === null || n === undefined || !Number.isFinite(n)) return "?";
  return minus(String(Number(n.toFixed(digits))));
}

/** A number with a minus sign that is as wide as a plus. */
export function minus(number: string): string {
  return number.replace(/^-/, "\u2212");
}

/** One and many: plural(1, "turn") is "1 turn", plural(2, "turn") "2 turns". */
export function plural(n: number, word: string, many = word + "s"): string {
  return `${count(n)} ${n === 1 ? word : many}`;
}

/** When something was, in the reader's own zone, to the minute; "" for a date that is none. */
export function when(iso: string | undefined): string {
  const at = iso === undefined ? NaN : Date.parse(iso);
  if (Number.isNaN(at)) return "";
  const d = new Date(at);
  const two = (n: number) => String(n).padStart(2, "0");
  return `${d.getFullYear()}-${two(d.getMonth() + 1)}-${two(d.getDate())} ${two(d.getHours())}:${two(d.getMinutes())}`;
}

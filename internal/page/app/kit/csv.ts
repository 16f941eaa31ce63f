/** Tables as CSV, in the form of RFC 4180. */

/** Writes a header and rows. A text that a spreadsheet would take for a formula is made text. */
export function csv(header: readonly string[], rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  const lines = [header, ...rows].map((row) => row.map(cell).join(","));
  return lines.join("\r\n") + "\r\n";
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return Number.isFinite(value) ? String(value) : "";
  // Model output in a spreadsheet is code in waiting: the apostrophe makes it text.
  const safe = /^(?:\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|[\t\r])/.test(value) ? "'" + value : value;
  return /[",\r\n]|^\s|\s$/.test(safe) ? '"' + safe.replaceAll('"', '""') + '"' : safe;
}

/** Characters that hide: controls, and the bidirectional marks that make code read other than it runs. */

/** A run of plain text, or the name of one character that would not be seen. */
interface Piece {
  text: string;
  hidden?: string;
}

const unseen =
  String.raw`\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f` +
  String.raw`\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e0fff}`;
const hiding = new RegExp(`[${unseen}]|\\r(?!\\n|$)`, "gu");

/** Cuts a text at its hiding characters and names each, as U+202E. */
export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(hiding)) {
    if (match.index > from) out.push({ text: text.slice(from, match.index) });
    out.push({ text: match[0], hidden: "U+" + match[0].codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0") });
    from = match.index + match[0].length;
  }
  if (from < text.length) out.push({ text: text.slice(from) });
  return out;
}

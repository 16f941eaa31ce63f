/** Characters that hide: controls, and the bidirectional marks that make code read other than it runs. */

/** A run of plain text, or the name of one character that would not be seen. */
export interface Piece {
  text: string;
  hidden?: string;
}

const hiding = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** Cuts a text at its hiding characters and names each, as U+202E. */
export function pieces(text: string): Piece[] {
  const out: Piece[] = [];
  let from = 0;
  for (const match of text.matchAll(hiding)) {
    if (match.index > from) out.push({ text: text.slice(from, match.index) });
    out.push({ text: match[0], hidden: "U+" + match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0") });
    from = match.index + 1;
  }
  if (from < text.length) out.push({ text: text.slice(from) });
  return out;
}

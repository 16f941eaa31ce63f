/**
 * Colours code by what anyone can tell without a grammar: comments, strings, keywords, numbers. One pass over the
 * text that never goes back, so its time is linear whatever the text; it guesses, and decides nothing.
 */
import { languageOf, type Language } from "./languages";

/** What a piece of code is. */
type Tint = "comment" | "string" | "keyword" | "number";

/** A piece of a line: [from, to) in its characters. */
export interface Span {
  from: number;
  to: number;
  tint: Tint;
}

/** Texts above this are left plain: their colours would cost more than they show. */
const maxText = 2_000_000;

/** The coloured pieces of each line, for the lines of text.split("\n"). */
export function highlight(text: string, language: string): Span[][] {
  const known = languageOf(language);
  const lines = new Lines(text);
  if (known !== undefined && text.length <= maxText) scan(text, known, (from, to, tint) => lines.add(from, to, tint));
  return lines.done();
}

/** Cuts spans of the whole text at line ends. */
class Lines {
  private readonly out: Span[][] = [[]];
  private start = 0;
  private end: number;
  constructor(private readonly text: string) {
    this.end = this.lineEnd(0);
  }
  private lineEnd(from: number): number {
    const at = this.text.indexOf("\n", from);
    return at < 0 ? this.text.length : at;
  }
  private next(): void {
    this.start = this.end + 1;
    this.end = this.lineEnd(this.start);
    this.out.push([]);
  }
  add(from: number, to: number, tint: Tint): void {
    while (from > this.end && this.end < this.text.length) this.next();
    for (;;) {
      const stop = Math.min(to, this.end);
      if (stop > from) this.out[this.out.length - 1]!.push({ from: from - this.start, to: stop - this.start, tint });
      if (to <= this.end || this.end >= this.text.length) return;
      this.next();
      from = this.start;
    }
  }
  done(): Span[][] {
    while (this.end < this.text.length) this.next();
    return this.out;
  }
}

const word = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const number = /0[xX][\da-fA-F_]+|0[bBoO][\d_]+|\d[\d_]*(?:\.\d[\d_]*)?(?:[eE][+-]?\d+)?[a-zA-Z]{0,3}/y;

function scan(text: string, language: Language, add: (from: number, to: number, tint: Tint) => void): void {
  const starts = new Set([...language.line, ...language.block.map(([s]) => s), ...language.long].map((s) => s[0]!));
  let i = 0;
  while (i < text.length) {
    const ch = text[i]!;
    if (starts.has(ch)) {
      const to = multi(text, i, language, add);
      if (to > i) {
        i = to;
        continue;
      }
    }
    if (language.quotes.includes(ch)) {
      const to = stringEnd(text, i, ch);
      add(i, to, "string");
      i = to;
    } else if (ch >= "0" && ch <= "9") {
      number.lastIndex = i;
      number.test(text);
      const to = Math.max(i + 1, number.lastIndex);
      add(i, to, "number");
      i = to;
    } else {
      word.lastIndex = i;
      if (word.test(text)) {
        const to = word.lastIndex;
        // No keyword is longer; a hostile word is not copied to be looked up.
        if (to - i <= 24) {
          const w = text.slice(i, to);
          if (language.keywords.has(language.anyCase ? w.toLowerCase() : w)) add(i, to, "keyword");
        }
        i = to;
      } else {
        i++;
      }
    }
  }
}

/** A comment or a string over lines at i: its end, or i when there is none. */
function multi(text: string, i: number, language: Language, add: (from: number, to: number, tint: Tint) => void): number {
  for (const [open, close] of language.block) {
    if (!text.startsWith(open, i)) continue;
    const at = text.indexOf(close, i + open.length);
    const to = at < 0 ? text.length : at + close.length;
    add(i, to, "comment");
    return to;
  }
  for (const open of language.line) {
    if (!text.startsWith(open, i)) continue;
    if (language.blankBefore && i > 0 && !/\s/.test(text[i - 1]!)) continue;
    const at = text.indexOf("\n", i);
    const to = at < 0 ? text.length : at;
    add(i, to, "comment");
    return to;
  }
  for (const quote of language.long) {
    if (!text.startsWith(quote, i)) continue;
    let at = i + quote.length;
    while (at < text.length && !text.startsWith(quote, at)) at += text[at] === "\\" ? 2 : 1;
    const to = Math.min(text.length, at + quote.length);
    add(i, to, "string");
    return to;
  }
  return i;
}

/** Where a string on one line ends: after its quote, or at the end of the line. */
function stringEnd(text: string, i: number, quote: string): number {
  for (let at = i + 1; at < text.length; at++) {
    const ch = text[at];
    if (ch === "\\" && text[at + 1] !== "\n") at++;
    else if (ch === quote) return at + 1;
    else if (ch === "\n") return at;
  }
  return text.length;
}

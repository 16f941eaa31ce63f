/**
 * A worker's prompt cut at the headers of the files that it holds, so that each can be read as code and linked. Nothing
 * is lost: the parts' heads and texts, joined, are the prompt.
 */

/** One part of a prompt: words to the worker, or a piece of a file. */
export interface Section {
  /** The header line with its line break, exactly; "" for words. */
  head: string;
  text: string;
  path?: string;
  /** Number of the text's first line in the file. */
  from: number;
}

const header = /^=== FILE: (.{1,4096}) \(lines (\d{1,9})-\d{1,9} of \d{1,9}\) ===\n/gm;

/** sections cuts a prompt. It makes at most max parts; the last one holds what is left. */
export function sections(prompt: string, max = 2000): Section[] {
  const parts: Section[] = [];
  let open: Section = { head: "", text: "", from: 1 };
  let at = 0;
  const close = (end: number) => {
    open.text = prompt.slice(at, end);
    if (open.head !== "" || open.text !== "") parts.push(open);
  };
  header.lastIndex = 0;
  for (let m = header.exec(prompt); m && parts.length < max - 1; m = header.exec(prompt)) {
    close(m.index);
    open = { head: m[0], text: "", path: m[1] ?? "", from: Number(m[2]) };
    at = header.lastIndex;
  }
  close(prompt.length);
  return parts;
}

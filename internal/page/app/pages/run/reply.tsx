/** What the root replied: its words, with each cell named where it stood, or the reply exactly. */
import { useState } from "preact/hooks";
import type { Turn } from "../../documents";
import { Copy, Markdown, Raw } from "../../kit";
import { Clip } from "./clip";
import { Part } from "./part";

/** A piece of a reply: words, or the place of a cell. */
type Piece = { text: string; cell?: undefined } | { text?: undefined; cell: number };

/** Cuts a reply at its cells, which are shown below it. What cannot be found in the text was a tool call. */
export function pieces(text: string, cells: readonly { index: number; code: string }[]): Piece[] {
  const found: Piece[] = [];
  let rest = text;
  for (const cell of cells) {
    const code = cell.code.trim();
    const at = code === "" ? -1 : rest.indexOf(code);
    if (at < 0) continue;
    const before = rest.slice(0, at).replace(/(^|\n)[ \t]*(`{3,}|~{3,})[^\n`]*\n[ \t]*$/, "$1");
    if (before.trim() !== "") found.push({ text: before });
    found.push({ cell: cell.index });
    rest = rest.slice(at + code.length).replace(/^[ \t]*\n?[ \t]*(`{3,}|~{3,})[ \t]*(?=\n|$)/, "");
  }
  if (rest.trim() !== "") found.push({ text: rest });
  return found;
}

/** The reply of a turn, its reasoning first. */
export function ReplyView(p: { doc: Turn }) {
  const { doc } = p;
  const [exact, set] = useState(false);
  const parts = pieces(doc.text, doc.cells);
  const words = parts.filter((part) => part.text !== undefined);
  if (doc.error !== undefined && doc.text === "") return null;
  return (
    <Part
      title="Reply"
      note={
        words.length > 0 || exact
          ? undefined
          : doc.text === "" && doc.cells.length > 0
            ? "no text: it called the tool with the cells below"
            : doc.text === ""
              ? "empty"
              : "nothing but the cells below"
      }
      tools={
        doc.text === "" ? null : (
          <>
            <button type="button" class="button small" aria-pressed={exact} onClick={() => set(!exact)}>
              Exact text
            </button>
            <Copy text={doc.text} label="Copy" />
          </>
        )
      }
    >
      {doc.reasoning ? (
        <details class="reasoning">
          <summary>Reasoning</summary>
          <Clip text={doc.reasoning} lines={60} what="reasoning">{(text) => <Raw text={text} name="Reasoning" />}</Clip>
        </details>
      ) : null}
      {exact ? (
        <Clip text={doc.text} lines={80} what="reply">{(text) => <Raw text={text} name="Exact reply" />}</Clip>
      ) : words.length > 0 ? (
        <div class="reply">
          {parts.map((part, i) =>
            part.text === undefined ? (
              <p key={i} class="reply-cell muted">cell {part.cell}, below</p>
            ) : (
              <Clip key={i} text={part.text.trim()} lines={60} what="text">{(text) => <Markdown text={text} />}</Clip>
            ),
          )}
        </div>
      ) : null}
    </Part>
  );
}

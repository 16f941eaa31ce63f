/** A long text of which only the beginning is drawn until the reader asks for the rest. */
import { useState, type Dispatch } from "preact/hooks";
import type { ComponentChildren } from "preact";
import { count } from "../../kit";

/** The most characters of a beginning: one line can be as long as a file. */
const most = 6000;

/** The first lines of a text, at most so many characters; the whole text where that is all. */
export function beginning(text: string, lines: number): string {
  let end = -1;
  for (let i = 0; i < lines; i++) {
    const next = text.indexOf("\n", end + 1);
    if (next < 0) {
      end = text.length;
      break;
    }
    end = next;
  }
  if (end > most) end = most;
  // A handful of lines more is less trouble than a button.
  return text.length - end < 400 && end < most ? text : text.slice(0, end);
}

/** Draws the beginning of a text, and all of it once asked. */
export function Clip(p: { text: string; lines: number; what: string; children: (part: string) => ComponentChildren }) {
  const [all, set] = useState(false);
  const part = all ? p.text : beginning(p.text, p.lines);
  return (
    <div class="clip">
      {p.children(part)}
      {part.length < p.text.length || all ? <ClipButton all={all} set={set} text={p.text} what={p.what} /> : null}
    </div>
  );
}

function ClipButton(p: { all: boolean; set: Dispatch<boolean>; text: string; what: string }) {
  if (p.all) {
    return (
      <button type="button" class="clip-button" onClick={() => p.set(false)}>
        Show less
      </button>
    );
  }
  let lines = 1;
  for (let i = p.text.indexOf("\n"); i >= 0; i = p.text.indexOf("\n", i + 1)) lines++;
  return (
    <button type="button" class="clip-button" onClick={() => p.set(true)}>
      Show the whole {p.what}: {count(lines)} lines, {count(p.text.length)} characters
    </button>
  );
}

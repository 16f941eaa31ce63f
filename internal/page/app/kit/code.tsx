/** Source code: line numbers, colours, findings, what was covered. */
import { useMemo, useState } from "preact/hooks";
import { plural } from "./format";
import { highlight, type Span } from "./highlight";
import { severityRank } from "./small";
import { Visible } from "./text";
import { Virtual } from "./virtual";

/** Lines that belong to a finding. */
export interface Mark {
  from: number;
  to: number;
  severity: string;
  id: string;
}

type Ranges = readonly (readonly [number, number])[];

interface Props {
  text: string;
  language: string;
  /** The number of the first line. Defaults to 1. */
  from?: number;
  marks?: readonly Mark[];
  /** Lines that were reviewed, as [first, last]. */
  covered?: Ranges;
  /** Lines that were sent to a worker and not answered. */
  unanswered?: Ranges;
  /** A click on a line's number. */
  onLine?: (line: number) => void;
  /** The line that is brought into sight and stands out. */
  line?: number;
  /** No line numbers: for a fence in a text. */
  bare?: boolean;
  name?: string;
}

/** Lines above which only those in sight are drawn, in a box that scrolls. */
const drawAll = 400;

/** Code with line numbers. Above 400 lines it scrolls in its own box. */
export function Code(p: Props) {
  const lines = useMemo(() => p.text.split("\n"), [p.text]);
  const spans = useMemo(() => highlight(p.text, p.language), [p.text, p.language]);
  const first = p.from ?? 1;
  const marks = useMemo(() => worstMarks(lines.length, first, p.marks), [lines, first, p.marks]);
  const covered = useMemo(() => inRanges(lines.length, first, p.covered), [lines, first, p.covered]);
  const unanswered = useMemo(() => inRanges(lines.length, first, p.unanswered), [lines, first, p.unanswered]);
  const digits = String(first + lines.length - 1).length;
  const shown = lines.length > 1 && lines[lines.length - 1] === "" ? lines.length - 1 : lines.length; // a last newline begins no line
  const line = (i: number) => {
    const n = first + i;
    const mark = marks[i];
    const open = unanswered?.[i] === 1;
    return (
      <div
        key={n}
        class={"line" + (mark ? ` mark mark-${mark.severity}` : "") + (covered?.[i] ? " covered" : "") + (open ? " unanswered" : "") +
          (p.line === n ? " at" : "")}
      >
        {p.bare ? null : p.onLine ? (
          <button
            type="button" class="line-number" tabIndex={-1} aria-label={`Line ${n}` + (open ? ", sent, not answered" : "")}
            onClick={() => p.onLine?.(n)}
          >
            {n}
          </button>
        ) : (
          <span class="line-number" aria-hidden="true">{n}</span>
        )}
        <code>
          <Tinted text={lines[i]!} spans={spans[i] ?? []} />
        </code>
      </div>
    );
  };
  const name = p.name ?? `${p.language} code, ${plural(shown, "line")}`;
  const size = { "--digits": String(digits) } as Record<string, string>;
  const look = "code" + (p.covered ? " with-coverage" : "");
  if (shown > drawAll) {
    return (
      <div class={look + " code-long"} style={size}>
        <Virtual
          name={name} count={shown} height={18} render={line} epoch={p.text} {...(p.line === undefined ? {} : { scrollTo: p.line - first })}
        />
      </div>
    );
  }
  return (
    <pre class={look} style={size} tabIndex={0} role="region" aria-label={name}>
      {Array.from({ length: shown }, (_, i) => line(i))}
    </pre>
  );
}

/** For each line its worst mark: found once, not once a drawing. */
function worstMarks(count: number, first: number, marks: readonly Mark[] | undefined): (Mark | undefined)[] {
  const worst: (Mark | undefined)[] = new Array<Mark | undefined>(marks?.length ? count : 0);
  for (const m of marks ?? []) {
    for (let i = Math.max(0, m.from - first); i < count && i <= m.to - first; i++) {
      const old = worst[i];
      if (old === undefined || severityRank(m.severity) > severityRank(old.severity)) worst[i] = m;
    }
  }
  return worst;
}

/** For each line 1 where a range holds it. */
function inRanges(count: number, first: number, ranges: Ranges | undefined): Uint8Array | undefined {
  if (ranges === undefined) return undefined;
  const held = new Uint8Array(count);
  for (const [a, b] of ranges) held.fill(1, Math.max(0, a - first), Math.max(0, b - first + 1));
  return held;
}

/** Characters of one line that are drawn before the reader asks for more. */
const lineCut = 3000;

/** A line in its colours; `changed` are the ranges that a difference marks. A very long line is cut, and says so. */
export function Tinted(p: { text: string; spans: readonly Span[]; changed?: readonly (readonly [number, number])[] }) {
  const [cut, setCut] = useState(lineCut);
  const text = p.text.length > cut ? p.text.slice(0, cut) : p.text;
  const more = p.text.length - text.length;
  return (
    <>
      {segments(text.length, p.spans, p.changed ?? []).map((s) => {
        const piece = <Visible text={text.slice(s.from, s.to)} />;
        const look = (s.tint === undefined ? "" : "tint-" + s.tint) + (s.changed ? " changed" : "");
        return look === "" ? piece : <span key={s.from} class={look}>{piece}</span>;
      })}
      {more > 0 ? (
        <button type="button" class="button small" onClick={() => setCut(cut * 20)}>
          … {plural(more, "more character")}
        </button>
      ) : null}
    </>
  );
}

interface Segment {
  from: number;
  to: number;
  tint?: Span["tint"];
  changed: boolean;
}

/** Cuts [0, length) where the colour or the mark of a change begins or ends. */
export function segments(length: number, spans: readonly Span[], changed: readonly (readonly [number, number])[]): Segment[] {
  const out: Segment[] = [];
  let at = 0;
  let s = 0;
  let c = 0;
  while (at < length) {
    while (s < spans.length && spans[s]!.to <= at) s++;
    while (c < changed.length && changed[c]![1] <= at) c++;
    const span = spans[s];
    const range = changed[c];
    const inSpan = span !== undefined && span.from <= at;
    const inRange = range !== undefined && range[0] <= at;
    const to = Math.min(
      length, span === undefined ? length : inSpan ? span.to : span.from, range === undefined ? length : inRange ? range[1] : range[0],
    );
    out.push(inSpan ? { from: at, to, tint: span.tint, changed: inRange } : { from: at, to, changed: inRange });
    at = to;
  }
  return out;
}

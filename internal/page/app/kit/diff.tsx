/** Two texts side by side, or one below the other where there is no room; what is the same is folded away. */
import { useMemo, useState } from "preact/hooks";
import { useWidth } from "./chart";
import { Tinted } from "./code";
import { diffLines, type DiffLine } from "./difference";
import { plural } from "./format";
import { highlight, type Span } from "./highlight";
import { Virtual } from "./virtual";

/** Equal lines that stay in sight around a change. */
const context = 3;
const narrow = 720;
const drawAll = 600;

/** One row: a line of either side, or a fold. */
interface Row {
  left?: DiffLine;
  right?: DiffLine;
  /** Index of the fold and how many lines it hides. */
  fold?: [number, number];
}

/** The differences of two texts: lines, and words within lines that were replaced. */
export function Diff(p: {
  before: string; after: string; language: string; names?: readonly [string, string]; name?: string; folded?: boolean;
}) {
  const [box, width] = useWidth<HTMLDivElement>();
  const [open, setOpen] = useState<readonly number[]>([]);
  const lines = useMemo(() => diffLines(p.before, p.after), [p.before, p.after]);
  const spans = useMemo(() => [highlight(p.before, p.language), highlight(p.after, p.language)] as const, [p.before, p.after, p.language]);
  const split = width >= narrow;
  const rows = useMemo(() => arrange(lines, split, open, p.folded ?? true), [lines, split, open, p.folded]);
  const added = lines.filter((l) => l.op === "add").length;
  const gone = lines.filter((l) => l.op === "del").length;
  const digits = String(lines.length).length;
  const row = (i: number) => {
    const r = rows[i]!;
    if (r.fold !== undefined) {
      const [index, hidden] = r.fold;
      return (
        <button key={"fold" + index} type="button" class="diff-fold" onClick={() => setOpen([...open, index])}>
          {plural(hidden, "unchanged line")}
        </button>
      );
    }
    return split ? (
      <div key={i} class="diff-row split">
        <Side line={r.left} spans={spans[0]} before />
        <Side line={r.right} spans={spans[1]} />
      </div>
    ) : (
      <div key={i} class="diff-row">
        <Side
          line={r.left ?? r.right} spans={r.left === undefined || r.left.op === "same" ? spans[1] : spans[0]}
          before={r.left !== undefined && r.left.op !== "same"} both
        />
      </div>
    );
  };
  const name = p.name ?? "Differences";
  return (
    <div ref={box} class="diff" style={{ "--digits": String(digits) } as Record<string, string>}>
      <p class="diff-head">
        {p.names ? (
          <span class="diff-names">
            <span>{p.names[0]}</span>
            <span aria-hidden="true">→</span>
            <span>{p.names[1]}</span>
          </span>
        ) : null}
        {added + gone === 0 ? (
          <span class="muted">No difference.</span>
        ) : (
          <span>
            <span class="diff-count add">+{added}</span> <span class="diff-count del">−{gone}</span>{" "}
            <span class="off-screen">
              {plural(added, "line")} added, {plural(gone, "line")} removed
            </span>
          </span>
        )}
      </p>
      {rows.length > drawAll ? (
        <div class="code-long">
          <Virtual name={name} count={rows.length} height={19} render={row} epoch={rows} />
        </div>
      ) : (
        <div class="diff-rows" role="region" aria-label={name} tabIndex={0}>
          {rows.map((_, i) => row(i))}
        </div>
      )}
    </div>
  );
}

function Side(p: { line: DiffLine | undefined; spans: Span[][]; before?: boolean; both?: boolean }) {
  const l = p.line;
  if (l === undefined) return <div class="line none" />;
  const n = p.before ? l.before : l.after;
  return (
    <div class={"line " + l.op}>
      <span class="line-number" aria-hidden="true">{n}</span>
      <span class="diff-sign" aria-hidden="true">{l.op === "add" ? "+" : l.op === "del" ? "−" : " "}</span>
      {l.op === "same" ? null : <span class="off-screen">{l.op === "add" ? "added: " : "removed: "}</span>}
      <code>
        <Tinted text={l.text} spans={p.spans[(n ?? 1) - 1] ?? []} {...(l.words === undefined ? {} : { changed: l.words })} />
      </code>
    </div>
  );
}

/** Rows of a difference: replaced lines beside one another when split, folds where nothing changes. */
function arrange(lines: readonly DiffLine[], split: boolean, open: readonly number[], folding: boolean): Row[] {
  const rows: Row[] = [];
  let i = 0;
  let fold = 0;
  while (i < lines.length) {
    let end = i;
    if (lines[i]!.op === "same") {
      while (end < lines.length && lines[end]!.op === "same") end++;
      const head = i === 0 ? 0 : context;
      const tail = end === lines.length ? 0 : context;
      const hidden = end - i - head - tail;
      const folded = folding && hidden > 3 && !open.includes(fold) && lines.length !== end - i;
      for (let k = i; k < end; k++) {
        if (folded && k === i + head) {
          rows.push({ fold: [fold, hidden] });
          k += hidden - 1;
        } else rows.push({ left: lines[k]!, right: lines[k]! });
      }
      fold++;
    } else {
      while (end < lines.length && lines[end]!.op !== "same") end++;
      const del = lines.slice(i, end).filter((l) => l.op === "del");
      const add = lines.slice(i, end).filter((l) => l.op === "add");
      if (split) {
        for (let k = 0; k < Math.max(del.length, add.length); k++)
          rows.push({ ...(del[k] ? { left: del[k] } : {}), ...(add[k] ? { right: add[k] } : {}) });
      } else {
        for (const l of del) rows.push({ left: l });
        for (const l of add) rows.push({ right: l });
      }
    }
    i = end;
  }
  return rows;
}

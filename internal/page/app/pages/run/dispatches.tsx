/** The dispatches of a turn: a table with a waterfall, out of the trace's columns and, once it is there, the turn. */
import { useMemo } from "preact/hooks";
import type { DispatchRow, Trace, Turn } from "../../documents";
import { Badge, count, go, money, seconds, Table, Visible, type Column, type Query } from "../../kit";
import { Part } from "./part";
import { addressOf, Flag, type Row, type Timeline } from "./timeline";

/** One dispatch as the table shows it. Times are milliseconds since the run began. */
interface Line {
  seq: number;
  number: number;
  label: string;
  model: string;
  cell: number | null;
  tokensIn: number;
  tokensOut: number;
  cost: number | null;
  seconds: number;
  from: number;
  to: number;
  flags: number;
  error: string;
  purpose: string;
}

function lines(t: Trace, turn: Row, doc: Turn | undefined): Line[] {
  const known = new Map<number, DispatchRow>((doc?.dispatches ?? []).map((d) => [d.seq, d]));
  const cells = new Map<number, number>();
  for (const cell of doc?.cells ?? []) for (const seq of cell.dispatches) cells.set(seq, cell.index);
  return turn.dispatches.map((i, at) => {
    const seq = t.seq0 + i;
    const row = known.get(seq);
    const to = t.at_ms[i] ?? 0;
    const took = t.seconds[i] ?? 0;
    return {
      seq, number: at + 1, label: row?.label || t.label[i] || "", model: row?.model ?? "", cell: cells.get(seq) ?? null,
      tokensIn: t.tokens_in[i] ?? 0, tokensOut: t.tokens_out[i] ?? 0, cost: t.cost_usd[i] ?? null,
      seconds: took, from: to - 1000 * took, to, flags: t.flags[i] ?? 0, error: row?.error ?? "", purpose: row?.purpose ?? "",
    };
  });
}

/** j and k go through the turns; these through the dispatches of one. */
const dispatchKeys = { next: ["J", "]"], previous: ["K", "["] };

/** The table of a turn's dispatches; a click or Enter opens one. Without the turn's document it knows no model and no cell. */
export function Dispatches(p: {
  at: string; turn: Row; trace: Trace; timeline: Timeline; query: Query; doc: Turn | undefined;
}) {
  const rows = useMemo(() => lines(p.trace, p.turn, p.doc), [p.trace, p.turn, p.doc]);
  const columns = useMemo(() => columnsFor(rows, p.turn), [rows, p.turn]);
  const open = (row: Line) => go(`${p.at}/${addressOf(p.timeline, p.turn)}/dispatch/${row.seq}`, p.query);
  if (rows.length === 0) return null;
  const sum = (f: (row: Line) => number) => rows.reduce((n, row) => n + f(row), 0);
  const cached = sum((r) => (r.flags & Flag.cached ? 1 : 0));
  const failed = sum((r) => (r.flags & Flag.error ? 1 : 0));
  return (
    <Part
      title="Dispatches"
      note={
        <>
          {count(rows.length)}
          {cached > 0 ? `, ${count(cached)} cached` : ""}
          {failed > 0 ? <>, <span class="bad">{count(failed)} failed</span></> : ""}
          , {count(sum((r) => r.tokensIn))} tokens in, {count(sum((r) => r.tokensOut))} out
        </>
      }
    >
      <Table name={`Dispatches of turn ${p.turn.number}`} rows={rows} columns={columns} onOpen={open} keys={dispatchKeys} />
    </Part>
  );
}

function columnsFor(rows: readonly Line[], turn: Row): Column<Line>[] {
  const severalModels = new Set(rows.map((r) => r.model)).size > 1;
  const severalCells = new Set(rows.map((r) => r.cell)).size > 1;
  const start = rows.reduce((least, r) => Math.min(least, r.from), turn.to);
  const span = Math.max(1, turn.to - start);
  const columns: Column<Line>[] = [
    { key: "number", title: "#", value: (r) => r.number, width: "3.5rem" },
    {
      key: "files", title: "Files", value: (r) => r.label,
      render: (r) => (
        <>
          <Visible text={r.label || "no file"} />
          {marks(r)}
        </>
      ),
    },
  ];
  if (severalModels) columns.push({ key: "model", title: "Model", value: (r) => r.model });
  if (severalCells) columns.push({ key: "cell", title: "Cell", value: (r) => r.cell, width: "4rem" });
  columns.push(
    { key: "in", title: "Tokens in", value: (r) => r.tokensIn, render: (r) => count(r.tokensIn), width: "6rem" },
    { key: "out", title: "Out", value: (r) => r.tokensOut, render: (r) => count(r.tokensOut), width: "5rem" },
    { key: "cost", title: "Cost", value: (r) => r.cost, render: (r) => money(r.cost), align: "right", width: "5.5rem" },
    { key: "time", title: "Time", value: (r) => r.seconds, render: (r) => seconds(r.seconds), width: "5.5rem" },
    {
      key: "when", title: "When", value: (r) => Math.round(r.from - start) / 1000, align: "left", width: "20%",
      render: (r) => (
        <Bar
          from={(r.from - start) / span} to={(r.to - start) / span} failed={(r.flags & Flag.error) !== 0}
          title={`${seconds((r.from - start) / 1000)} after the first, for ${seconds(r.seconds)}`}
        />
      ),
    },
  );
  return columns;
}

function marks(r: Line) {
  return (
    <>
      {r.purpose ? <Badge title="What was asked for, instead of findings">{r.purpose}</Badge> : null}
      {r.flags & Flag.error ? <Badge tone="bad" title={r.error}>failed</Badge> : null}
      {r.flags & Flag.cached ? <Badge title="Answered from the content cache, at no cost">cached</Badge> : null}
      {r.flags & Flag.redacted ? <Badge tone="warn" title="Secrets were removed from the prompt">redacted</Badge> : null}
    </>
  );
}

/** One bar of the waterfall; from and to are shares of the time between the first dispatch and the turn's end. */
function Bar(p: { from: number; to: number; failed: boolean; title: string }) {
  const left = Math.min(99, Math.max(0, 100 * p.from));
  const width = Math.min(100 - left, Math.max(0.5, 100 * (p.to - p.from)));
  return (
    <span class="fall" title={p.title}>
      <span class={"fall-bar" + (p.failed ? " fall-failed" : "")} style={{ marginLeft: `${left}%`, width: `${width}%` }} />
    </span>
  );
}

/** What stands beside the timeline while no turn is selected: what the run cost over time, and every turn in a table. */
import { useMemo } from "preact/hooks";
import type { Trace } from "../../documents";
import { count, Empty, go, LineChart, money, seconds, Table, Visible, type Column, type Query } from "../../kit";
import { addressOf, type Row, type Timeline } from "./timeline";

/** The most points of a line: more cannot be told apart. */
const points = 500;

/** A running total over time, [seconds, total], thinned out to at most `most` points; null once a part is unknown. */
export function running(t: Trace, letter: string, most: number): [number, number | null][] {
  const all: [number, number | null][] = [[0, 0]];
  let sum: number | null = 0;
  for (let i = 0; i < t.kind.length; i++) {
    if (t.kind[i] !== letter) continue;
    const part: number | null = t.cost_usd[i] ?? null;
    sum = sum === null || part === null ? null : sum + part;
    all.push([(t.at_ms[i] ?? 0) / 1000, sum]);
  }
  all.push([(t.at_ms.at(-1) ?? 0) / 1000, sum]); // what was spent stays spent until the end
  const step = Math.max(1, Math.ceil(all.length / most));
  return all.filter((_, i) => i % step === 0 || i === all.length - 1);
}

const turnColumn: Column<Row> = { key: "turn", title: "Turn", value: (r) => r.number, width: "4rem" };
const columns: readonly Column<Row>[] = [
  { key: "label", title: "Cell", value: (r) => r.label, render: (r) => <code><Visible text={r.label || "no cell"} /></code> },
  { key: "dispatches", title: "Dispatches", value: (r) => r.dispatched, render: (r) => count(r.dispatched), width: "6.5rem" },
  {
    key: "errors", title: "Errors", value: (r) => r.errors,
    render: (r) => <span class={r.errors > 0 ? "bad" : "muted"}>{count(r.errors)}</span>, width: "5rem",
  },
  { key: "time", title: "Time", value: (r) => (r.to - r.from) / 1000, render: (r) => seconds((r.to - r.from) / 1000), width: "6rem" },
  { key: "cost", title: "Cost", value: (r) => r.cost, render: (r) => money(r.cost), align: "right", width: "6rem" },
];

function loopColumn(t: Trace): Column<Row> {
  const name = (r: Row) => t.nodes[r.node] || "the root";
  return {
    key: "loop", title: "Loop", value: name,
    render: (r) => (
      <code class={r.node === 0 ? "muted" : ""}>
        <Visible text={name(r)} />
      </code>
    ),
  };
}

/** The trace as a whole. */
export function Overview(p: { at: string; trace: Trace; timeline: Timeline; query: Query }) {
  const { timeline, trace } = p;
  const rows = useMemo(() => timeline.rows.filter((row) => row.kind === "turn"), [timeline]);
  const shown = useMemo(() => [turnColumn, ...(trace.nodes.length > 1 ? [loopColumn(trace)] : []), ...columns], [trace]);
  const root = useMemo(() => running(trace, "r", points), [trace]);
  const workers = useMemo(() => running(trace, "d", points), [trace]);
  const paid = [...root, ...workers].some(([, usd]) => (usd ?? 0) > 0);
  return (
    <article class="turn">
      {paid ? (
        <LineChart
          name="cost-over-time" title="Cost over time" x={{ label: "seconds", from0: true }} y={{ label: "US dollars", from0: true }}
          series={[
            { name: "root", points: root, marks: false },
            { name: "workers", points: workers, marks: false },
          ]}
        />
      ) : null}
      {rows.length > 0 ? (
        <Table name="Turns" rows={rows} columns={shown} keys={null} onOpen={(row) => go(`${p.at}/${addressOf(timeline, row)}`, p.query)} />
      ) : (
        <Empty title="The root has taken no turn." />
      )}
    </article>
  );
}

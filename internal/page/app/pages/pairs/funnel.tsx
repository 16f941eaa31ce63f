/** The funnel: what went in, what each filter dropped and why, what is left. */
import { useMemo } from "preact/hooks";
import type { FunnelStep, PairSet, PairSource } from "../../documents";
import { count, decimal, percent, Table, type Column } from "../../kit";

interface Row extends FunnelStep {
  n: number;
  /** The most that any step of the same things began with. */
  most: number;
}

/** All steps, and where the pairs that are left come from. */
export function Funnel(p: { doc: PairSet }) {
  const rows = useMemo<Row[]>(() => {
    const most = new Map<string, number>();
    for (const s of p.doc.funnel) most.set(s.of, Math.max(most.get(s.of) ?? 0, s.in));
    return p.doc.funnel.map((s, i) => ({ ...s, n: i + 1, most: most.get(s.of) ?? 0 }));
  }, [p.doc]);
  const columns: Column<Row>[] = [
    { key: "n", title: "#", from: 700, value: (s) => s.n },
    { key: "name", title: "Step", value: (s) => s.name },
    { key: "of", title: "Of", value: (s) => s.of },
    { key: "bar", title: "Kept and dropped", from: 700, value: () => null, sort: false, render: (s) => <Flow step={s} /> },
    { key: "in", title: "In", value: (s) => s.in, render: (s) => count(s.in) },
    {
      key: "dropped", title: "Dropped", value: (s) => s.in - s.out,
      render: (s) => (s.in === s.out ? <span class="muted">0</span> : <strong>{count(s.in - s.out)}</strong>),
    },
    { key: "out", title: "Out", value: (s) => s.out, render: (s) => count(s.out) },
    { key: "why", title: "What was dropped", from: 700, value: (s) => s.why },
  ];
  return (
    <div class="stack">
      <section aria-label="Funnel">
        <Table name="Funnel" rows={rows} columns={columns} />
      </section>
      {p.doc.sources.length > 0 ? <Sources doc={p.doc} /> : null}
    </div>
  );
}

/** A step's share of the most that there was of the same things. */
function Flow(p: { step: Row }) {
  const { step } = p;
  const share = (n: number) => (step.most === 0 ? 0 : n / step.most);
  return (
    <span class="flow" role="img" aria-label={`${percent(share(step.out))} left, ${percent(share(step.in - step.out))} dropped here`}>
      <span class="flow-kept" style={{ width: percent(share(step.out), 2) }} />
      <span class="flow-dropped" style={{ width: percent(share(Math.max(0, step.in - step.out)), 2) }} />
    </span>
  );
}

function Sources(p: { doc: PairSet }) {
  const total = p.doc.sources.reduce((n, s) => n + s.pairs, 0);
  const columns: Column<PairSource>[] = [
    { key: "source", title: "Source of the rejected side", value: (s) => s.source },
    { key: "pairs", title: "Pairs", value: (s) => s.pairs, render: (s) => count(s.pairs) },
    {
      key: "share", title: "Share", value: (s) => (total === 0 ? null : s.pairs / total),
      render: (s) => (total === 0 ? "?" : percent(s.pairs / total, 1)),
    },
    { key: "weight", title: "Target weight", value: (s) => s.weight, render: (s) => decimal(s.weight) },
  ];
  return (
    <section aria-label="Sources">
      <h2>Sources</h2>
      <Table name="Sources" rows={p.doc.sources} columns={columns} />
    </section>
  );
}

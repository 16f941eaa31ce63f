/** What the pairs give away without being read: lengths, surface, likeness; and how they are spread over tasks. */
import { useMemo } from "preact/hooks";
import type { Interval, PairAudit, PairFeature, PairSet } from "../../documents";
import { Bars, count, decimal, Distribution, Fact, LineChart, percent, plural, Table, type Column } from "../../kit";

/** The charts and figures of the audit. */
export function Balance(p: { doc: PairSet }) {
  const { rows } = p.doc;
  const perTask = useMemo(() => {
    const counts = new Map<number, number>();
    for (const t of rows.task) counts.set(t, (counts.get(t) ?? 0) + 1);
    const tasks = new Map<number, number>();
    for (const n of counts.values()) tasks.set(n, (tasks.get(n) ?? 0) + 1);
    return [...tasks].sort((a, b) => a[0] - b[0]);
  }, [rows]);
  const trace = p.doc.form === "trace";
  const lengths = useMemo(() => [{ name: "chosen", values: rows.chosen_chars }, { name: "rejected", values: rows.rejected_chars }], [rows]);
  const scores = useMemo(() => [{ name: "chosen", values: rows.chosen_score }, { name: "rejected", values: rows.rejected_score }], [rows]);
  const scored = scores.some((side) => side.values.some((v) => v !== 0 && v !== null)); // pairs of elsewhere have none
  const order = useMemo(() => curriculum(p.doc), [p.doc]);
  const audit = p.doc.audit;
  return (
    <div class="stack">
      {audit ? <Figures audit={audit} /> : null}
      <div class="charts">
        <Distribution
          name="lengths" title={trace ? "Characters of the cells" : "Characters of a program"} groups={lengths} label="characters"
        />
        {scored ? (
          <Distribution
            name="scores" title={trace ? "Rewards" : "Scores: share of tests passed"} groups={scores} label={trace ? "reward" : "score"}
          />
        ) : null}
        <Bars
          name="per-task" title="Pairs a task"
          rows={perTask.map(([n, tasks]) => ({ name: plural(n, "pair"), parts: [{ name: "tasks", value: tasks }] }))} label="tasks"
        />
        {audit?.similarity && audit.similarity.histogram.length > 0 ? (
          <Bars
            name="similarity" title={`Edit similarity of the sides, over tokens (mean ${decimal(audit.similarity.mean, 2)})`}
            rows={audit.similarity.histogram.map((n, i) => ({
              name: `${(i / 10).toFixed(1)} to ${((i + 1) / 10).toFixed(1)}`, parts: [{ name: "pairs", value: n }],
            }))}
            label="pairs"
          />
        ) : null}
        {order.length > 1 ? (
          <LineChart
            name="curriculum" title="Curriculum: share of the task's samples that pass, in the order of the file"
            x={{ label: "place in train.jsonl" }} y={{ label: "pass rate", percent: true, from0: true }}
            series={[{ name: "pass rate", points: order, marks: false }]}
          />
        ) : null}
      </div>
      {audit?.shortcut && audit.shortcut.features.length > 0 ? <Shortcuts audit={audit} /> : null}
      {audit && audit.overlaps.length > 0 ? <Overlaps audit={audit} /> : null}
    </div>
  );
}

/** The task's pass rate by the place in the training file. */
function curriculum(doc: PairSet): [number, number | null][] {
  const out: [number, number | null][] = [];
  doc.rows.pass_rate.forEach((rate, i) => {
    if ((doc.rows.file[i] ?? 0) === 0 && rate !== null) out.push([i + 1, rate]);
  });
  return out;
}

/** A share that should be a half, with its interval. */
function told(accuracy: number, ci: Interval): string {
  const interval = ci.lo === null || ci.hi === null ? "no interval" : `95% interval ${percent(ci.lo, 1)} to ${percent(ci.hi, 1)}`;
  return `${percent(accuracy, 1)} (${interval})`;
}

function Figures(p: { audit: PairAudit }) {
  const a = p.audit;
  return (
    <section aria-label="Figures of the audit">
      <h2>What the audit measured</h2>
      <dl class="facts">
        {a.length ? (
          <Fact name={`Guessed from length ("the ${a.length.chosen_is} one is chosen")`}>{told(a.length.accuracy, a.length.ci95)}</Fact>
        ) : null}
        {a.shortcut && a.shortcut.accuracy !== null ? (
          <Fact name="Guessed from surface features, unseen tasks">{told(a.shortcut.accuracy, a.shortcut.ci95)}</Fact>
        ) : null}
        <Fact name="Mean characters">
          {count(a.mean_chars.chosen)} chosen, {count(a.mean_chars.rejected)} rejected
        </Fact>
        {a.length ? <Fact name="One side over twice as long">{count(a.length.ratio_beyond_2)}</Fact> : null}
        <Fact name="Markdown fences">
          {count(a.fenced.chosen)} chosen, {count(a.fenced.rejected)} rejected
        </Fact>
        <Fact name="Exact duplicates">{count(a.exact_duplicates)}</Fact>
        <Fact name="Near-duplicates">
          {count(a.near_duplicates.within_tasks)} within tasks, {count(a.near_duplicates.across_tasks)} across
        </Fact>
        <Fact name="Most pairs a task">{count(a.max_per_task)}</Fact>
        <Fact name="Pairs over the test split">{a.eval_split_leak === null ? "not looked at" : count(a.eval_split_leak)}</Fact>
      </dl>
      <p class="muted">Chance gives 50%. Anything above it a model can learn without reading the programs.</p>
    </section>
  );
}

function Shortcuts(p: { audit: PairAudit }) {
  const columns: Column<PairFeature>[] = [
    { key: "name", title: "Feature", value: (f) => f.name },
    { key: "accuracy", title: "Right alone", value: (f) => f.accuracy, render: (f) => percent(f.accuracy, 1) },
    {
      key: "bar", title: "Beyond chance", value: () => null, sort: false,
      render: (f) => (
        <span class="flow flow-short" aria-hidden="true">
          <span class="flow-dropped" style={{ width: percent(Math.min(1, Math.max(0, 2 * (f.accuracy - 0.5))), 1) }} />
        </span>
      ),
    },
    { key: "has", title: "The chosen one has", value: (f) => (f.accuracy > 0.5 ? f.chosen_has : "as much") },
  ];
  return (
    <section aria-label="Surface features">
      <h2>Each surface feature alone</h2>
      <Table name="Surface features" rows={p.audit.shortcut?.features ?? []} columns={columns} />
    </section>
  );
}

function Overlaps(p: { audit: PairAudit }) {
  return (
    <section aria-label="Overlaps">
      <h2>Words shared with evaluation sets</h2>
      <Table
        name="Overlaps"
        rows={p.audit.overlaps}
        columns={[
          { key: "set", title: "Set", value: (o) => o.set },
          { key: "tasks", title: "Its tasks", value: (o) => o.set_tasks, render: (o) => count(o.set_tasks) },
          { key: "own", title: "Pairs over its tasks", value: (o) => o.own_task, render: (o) => count(o.own_task) },
          { key: "13", title: "Share 13 words in a row", value: (o) => o.grams_13, render: (o) => count(o.grams_13) },
          { key: "10", title: "Share 10", value: (o) => o.grams_10, render: (o) => count(o.grams_10) },
        ]}
      />
    </section>
  );
}

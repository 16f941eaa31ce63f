/** A bench's tables: truth, tests, conduct, economics. */
import type { BenchCosts, BenchDoc, BenchMeasure, BenchRow, BenchTest, Interval } from "../../documents";
import { count, decimal, money, percent, Table, type Column } from "../../kit";
import { signed } from "../eval/parts";
import { ends, pvalue } from "../eval/test";

/** What was found of what there is. */
export function Truth(p: { doc: BenchDoc }) {
  const rows = p.doc.rows.filter((r) => r.truth !== null || r.runs_done === 0);
  if (!rows.some((r) => r.truth !== null)) return null;
  const of = (pick: (t: NonNullable<BenchRow["truth"]>) => number | null) => (r: BenchRow) => (r.truth === null ? null : pick(r.truth));
  const three = (v: number | null) => (v === null ? "?" : v.toFixed(3));
  const ci = (pick: (t: NonNullable<BenchRow["truth"]>) => Interval) => (r: BenchRow) => (r.truth === null ? "?" : ends(pick(r.truth)));
  const num = (key: string, title: string, value: (r: BenchRow) => number | null, text: (r: BenchRow) => string): Column<BenchRow> => ({
    key, title, align: "right", value, render: text,
  });
  const plain = (key: string, title: string, pick: (t: NonNullable<BenchRow["truth"]>) => number | null) =>
    num(key, title, of(pick), (r) => count(of(pick)(r)));
  const columns: Column<BenchRow>[] = [
    { key: "config", title: "Configuration", value: (r) => r.config },
    plain("total", "Defects", (t) => t.total),
    plain("found", "Found", (t) => t.found),
    num("recall", "Recall", of((t) => t.recall), (r) => three(of((t) => t.recall)(r))),
    { key: "recallci", title: "95% interval", align: "right", sort: false, value: ci((t) => t.recall_ci95) },
    num("precision", "Precision", of((t) => t.precision), (r) => three(of((t) => t.precision)(r))),
    { key: "precisionci", title: "95% interval", align: "right", sort: false, value: ci((t) => t.precision_ci95) },
    num("f2", "F2", of((t) => t.f2), (r) => three(of((t) => t.f2)(r))),
    num(
      "deep", "Deep bugs found", of((t) => t.deep_found),
      (r) => (r.truth ? `${count(r.truth.deep_found)} of ${count(r.truth.deep_total)}` : "?"),
    ),
    plain("unique", "Unique deep bugs", (t) => t.unique),
    plain("false", "False findings", (t) => t.false),
    plain("decoys", "of them decoys", (t) => t.decoys),
    plain("duplicates", "Duplicates", (t) => t.duplicates),
  ];
  return (
    <section aria-label="Against the truth">
      <h2>Against the truth</h2>
      <Table name="Against the truth" rows={rows} columns={columns} />
      <p class="muted">
        {p.doc.codebases.length === 1
          ? "One codebase: the intervals' unit is its defects and findings (Wilson, or t over repeats), so they say nothing of others."
          : "The unit of the intervals is the codebase (cluster-robust t)."}
      </p>
    </section>
  );
}

/** Which differences in recall can be told from luck. */
export function Tests(p: { doc: BenchDoc }) {
  const rows = (p.doc.tests ?? []).filter((t) => t.tasks >= 2);
  if (rows.length === 0) return null;
  const columns: Column<BenchTest>[] = [
    { key: "a", title: "A", value: (t) => t.a },
    { key: "b", title: "B", value: (t) => t.b },
    { key: "tasks", title: "Codebases", value: (t) => t.tasks },
    { key: "before", title: "A's recall", value: (t) => t.before, render: (t) => t.before.toFixed(3) },
    { key: "after", title: "B's recall", value: (t) => t.after, render: (t) => t.after.toFixed(3) },
    { key: "diff", title: "Difference", value: (t) => t.diff, render: (t) => signed(t.diff, 3) },
    { key: "ci", title: "95% interval", align: "right", sort: false, value: (t) => ends(t.ci) },
    { key: "p", title: "p", value: (t) => t.p, render: (t) => pvalue(t.p) },
    { key: "holm", title: "p, corrected", value: (t) => t.p_holm, render: (t) => pvalue(t.p_holm) },
    {
      key: "words", title: "Verdict", value: (t) => t.words + lowerOn(p.doc, t),
      render: (t) => <span class="sentence">{t.words + lowerOn(p.doc, t)}</span>,
    },
  ];
  return (
    <section aria-label="Recall, paired over codebases">
      <h2>Recall, paired over codebases</h2>
      <Table name="Recall, paired over codebases" rows={rows} columns={columns} />
      <p class="muted">
        Sign-flip permutation test of the codebases' mean recalls; p corrected by Holm for the number of comparisons; interval by paired t.
      </p>
    </section>
  );
}

/** On how many codebases B found less than A, whatever the mean says: "; found less on 2 of 9". */
export function lowerOn(doc: Pick<BenchDoc, "rows" | "codebases">, test: { a: string; b: string }): string {
  const found = (config: string, codebase: string): number | null => {
    const runs = doc.rows.find((r) => r.config === config)?.runs.filter((x) => x.codebase === codebase && x.truth) ?? [];
    const total = runs.reduce((sum, x) => sum + (x.truth?.total ?? 0), 0);
    return total === 0 ? null : runs.reduce((sum, x) => sum + (x.truth?.found ?? 0), 0) / total;
  };
  const both = doc.codebases.flatMap(({ name }) => {
    const [a, b] = [found(test.a, name), found(test.b, name)];
    return a === null || b === null ? [] : [b < a - 1e-9];
  });
  const lower = both.filter((less) => less).length;
  return lower === 0 ? "" : `; B found less on ${lower} of ${both.length}`;
}

/** The behaviour gap: how far the others are from the target. */
export function Conduct(p: { doc: BenchDoc }) {
  const gaps = p.doc.behaviour_gap ?? [];
  const first = gaps[0];
  if (first === undefined) return null;
  const rows = first.measures.map((m, i) => ({ name: m.name, target: m, of: gaps.map((g) => g.measures[i]) }));
  const columns: Column<(typeof rows)[number]>[] = [
    { key: "name", title: "Behaviour", sort: false, value: (r) => r.name },
    ...gaps.map((g, k): Column<(typeof rows)[number]> => ({
      key: "g" + k, title: g.config, sort: false, align: "right", value: (r) => gapText(r.of[k]),
    })),
    {
      key: "target", title: `${p.doc.target ?? ""} (target)`, sort: false, align: "right",
      value: (r) => amount(r.target.target, r.target.target_of),
    },
  ];
  return (
    <section aria-label="Behaviour gap">
      <h2>Behaviour gap against {p.doc.target}</h2>
      <Table name="Behaviour gap" rows={rows} columns={columns} />
      <p class="muted">
        In brackets: the target's figure over this one, or turns before (early) or after (late) the target. Means a run, except unique bugs.
      </p>
    </section>
  );
}

/** The measures that are turns: their distance to the target is told in turns. */
const inTurns: readonly string[] = ["Answer finalised after turn", "Last turn with sub-LLM work"];

function gapText(m: BenchMeasure | undefined): string {
  if (m === undefined) return "";
  const text = amount(m.value, m.of);
  if (m.value === null || m.target === null) return text;
  if (inTurns.includes(m.name)) {
    return m.value === m.target ? text : `${text} (${one(Math.abs(m.target - m.value))} ${m.value > m.target ? "late" : "early"})`;
  }
  if (m.ratio !== null && m.ratio > 0) return `${text} (${Number(m.ratio.toPrecision(2))}×)`;
  return m.value === 0 && m.target > 0 ? text + " (none)" : text;
}

function amount(v: number | null, of: number | undefined): string {
  if (v === null) return "n/a";
  return of === undefined ? one(v) : `${one(v)} of ${one(of)}`;
}

function one(v: number): string {
  return decimal(v, 1);
}

/** What ten times the calls would cost. */
export function Economics(p: { doc: BenchDoc }) {
  const rows = (p.doc.economics ?? [])
    .filter((e) => e.now.total_usd !== 0) // nothing was billed, and ten times nothing is nothing
    .flatMap((e) => [
      { config: e.config, when: "actual", costs: e.now, growth: "" },
      {
        config: e.config, when: "ten times", costs: e.then,
        growth: e.root_growth_per_call_usd === null ? "unchanged" : `$${e.root_growth_per_call_usd.toFixed(6)} (${e.growth_runs} runs)`,
      },
    ]);
  if (rows.length === 0) return null;
  type Line = (typeof rows)[number];
  const usd = (key: string, title: string, of: (c: BenchCosts) => number | null): Column<Line> => ({
    key, title, align: "right", value: (r) => of(r.costs), render: (r) => money(of(r.costs)),
  });
  const columns: Column<Line>[] = [
    { key: "config", title: "Configuration", value: (r) => r.config },
    { key: "calls", title: "Dispatches", align: "right", value: (r) => r.costs.calls, render: (r) => `${one(r.costs.calls)} (${r.when})` },
    usd("worker", "Workers", (c) => c.worker_usd),
    usd("root", "Root", (c) => c.root_usd),
    usd("total", "Total", (c) => c.total_usd),
    {
      key: "share", title: "Workers' share", align: "right", value: (r) => r.costs.worker_share,
      render: (r) => (r.costs.worker_share === null && r.costs.total_usd !== null ? "" : percent(r.costs.worker_share, 1)),
    },
    { key: "growth", title: "Root growth a call", align: "right", value: (r) => r.growth },
  ];
  return (
    <section aria-label="Projected economics">
      <h2>Projected economics at ten times the calls, a run</h2>
      <Table name="Projected economics" rows={rows} columns={columns} />
      <p class="muted">
        worker(10n) = 10 worker(n); root(10n) = root(n) + g 9n, with g the slope of root cost over calls within codebases, over all runs of
        that root; unchanged (a lower bound) where it cannot be measured.
      </p>
    </section>
  );
}

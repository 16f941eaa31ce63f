/** One eval against another of the same tasks. Every statistic comes from the server; the page only subtracts means. */
import { useMemo } from "preact/hooks";
import { ProblemBox, useDoc, type EvalColumn, type EvalComparison, type EvalDoc, type EvalSpread, type Run } from "../../documents";
import { count, go, href, Loading, money, Scatter, setQuery, Table, useRoute, type Column } from "../../kit";
import { interval, Mean, share } from "./facts";
import { commonPrefix } from "./names";
import { useOther, useRunsLike } from "./other";
import { label, type Pair } from "./pair";
import { signed } from "./parts";
import { SideBySide } from "./side";
import { TestWords } from "./test";
import { changesOfColumns, worsened } from "./worse";

/** Chooses the eval to compare with; nothing where there is none. */
export function CompareWith(p: { run: Run; at: string }) {
  const others = useRunsLike("eval").filter((r) => r.status !== "broken");
  if (others.length === 0) return null;
  return (
    <label class="inline">
      Compare with{" "}
      <select value="" onChange={(e) => e.currentTarget.value !== "" && go(`${p.at}/compare/${e.currentTarget.value}`)}>
        <option value="">another eval</option>
        {others.map((r) => (
          <option key={r.id} value={r.id}>{r.path === p.run.path ? r.name : r.path}: {r.headline}</option>
        ))}
      </select>
    </label>
  );
}

/** "eval/compare/OTHER". */
export function ComparePage(p: { run: Run; other: string; at: string }) {
  const answer = useDoc<EvalComparison>(`eval/compare/${p.other}`);
  const other = useOther<Run>(p.other, "");
  const mine = useDoc<EvalDoc>("eval");
  const theirs = useOther<EvalDoc>(p.other, "eval");
  const error = answer.error ?? other.error ?? mine.error ?? theirs.error;
  if (error !== undefined) return <ProblemBox problem={error} />;
  if (answer.doc === undefined || other.doc === undefined || mine.doc === undefined || theirs.doc === undefined) return <Loading />;
  const pair: Pair = { a: p.run, b: other.doc, rowsA: mine.doc, rowsB: theirs.doc };
  return (
    <div class="measures stack">
      <div class="section-head">
        <h2>
          <a href={href(p.at)}>{label(pair.a)}</a> against <a href={href(`/run/${p.other}/eval`)}>{label(pair.b)}</a>
        </h2>
        <a class="button small" href={href(`/run/${p.other}/eval/compare/${p.run.id}`)}>Swap</a>
      </div>
      <Figures comparison={answer.doc} pair={pair} />
      <Tasks pair={pair} at={p.at} other={p.other} />
    </div>
  );
}

interface Figure {
  name: string;
  a: (c: EvalColumn) => string;
  spread?: (c: EvalColumn) => EvalSpread;
  digits?: number;
}

const figures: Figure[] = [
  { name: "Reward, mean", a: (c) => mean(c.reward, 3), spread: (c) => c.reward },
  { name: "σ", a: (c) => fixed(c.reward.std, 3) },
  { name: "Range", a: (c) => (c.reward.min === null ? "?" : `${fixed(c.reward.min, 3)} to ${fixed(c.reward.max, 3)}`) },
  { name: "Turns", a: (c) => mean(c.turns, 2), spread: (c) => c.turns, digits: 2 },
  { name: "Zero delegation", a: (c) => share(c.zero_delegation) },
  { name: "Over-exploration", a: (c) => share(c.over_exploration) },
  { name: "Tokens in", a: (c) => mean(c.input_tokens, 0), spread: (c) => c.input_tokens, digits: 0 },
  { name: "Tokens out", a: (c) => mean(c.output_tokens, 0), spread: (c) => c.output_tokens, digits: 0 },
  { name: "Cost", a: (c) => money(c.cost_usd) },
  { name: "Tasks", a: (c) => count(c.tasks) },
  { name: "Ended in an error", a: (c) => `${count(c.errors)} of ${count(c.rollouts)} rollouts` },
];

function mean(s: EvalSpread, digits: number): string {
  return fixed(s.mean, digits) + (s.ci95 ? " " + interval(s.ci95, digits) : "");
}

function fixed(v: number | null, digits: number): string {
  return v === null ? "?" : v.toFixed(digits);
}

function Figures(p: { comparison: EvalComparison; pair: Pair }) {
  const [b, a] = p.comparison.evals; // the first is what the others are compared with
  const test = p.comparison.comparisons[0];
  const tasks = useMemo(() => pairTasks(p.pair), [p.pair.rowsA, p.pair.rowsB]);
  if (a === undefined || b === undefined) return null;
  const lost = tasks.filter((r) => r.a < r.b - 1e-9).length;
  const cell = (f: Figure, c: EvalColumn) => (f.spread ? <Mean of={f.spread(c)} digits={f.digits ?? 3} /> : f.a(c));
  const difference = (f: Figure): string => {
    const [x, y] = f.spread ? [f.spread(a).mean, f.spread(b).mean] : [null, null];
    return x === null || y === null ? "" : signed(x - y, f.digits ?? 3);
  };
  const columns: Column<Figure>[] = [
    { key: "name", title: "Figure", value: (f) => f.name, sort: false },
    { key: "b", title: label(p.pair.b), sort: false, align: "right", value: (f) => f.a(b), render: (f) => cell(f, b) },
    { key: "a", title: label(p.pair.a), sort: false, align: "right", value: (f) => f.a(a), render: (f) => cell(f, a) },
    { key: "difference", title: "Difference", sort: false, align: "right", value: difference },
  ];
  return (
    <section aria-label="Figures">
      {test ? <TestWords test={test} worse={worsened({ worse: lost, of: tasks.length }, changesOfColumns(b, a))} /> : null}
      {(p.comparison.notes ?? []).map((n) => (
        <p key={n} class="notice warn">{n}</p>
      ))}
      <div class="figures"><Table name="Comparison" rows={figures} columns={columns} /></div>
    </section>
  );
}

interface TaskRow {
  example: number;
  task: string;
  a: number;
  b: number;
  /** Of its first rollouts in the two evals. */
  nA: number;
  nB: number;
}

function Tasks(p: { pair: Pair; at: string; other: string }) {
  const { query } = useRoute();
  const rows = useMemo(() => pairTasks(p.pair), [p.pair.rowsA, p.pair.rowsB]);
  const chosen = rows.find((r) => String(r.example) === query["task"]);
  const better = rows.filter((r) => r.a > r.b + 1e-9).length;
  const worse = rows.filter((r) => r.a < r.b - 1e-9).length;
  const which = query["which"] ?? "";
  const filter = useMemo(
    () => (which === "better" ? (r: TaskRow) => r.a > r.b + 1e-9 : which === "worse" ? (r: TaskRow) => r.a < r.b - 1e-9 : undefined),
    [which],
  );
  const prefix = useMemo(() => commonPrefix(rows.map((r) => r.task)), [rows]);
  const columns: Column<TaskRow>[] = [
    {
      key: "task", title: "Task", value: (r) => r.task,
      render: (r) => <span class="task" title={r.task}>{r.task.slice(prefix.length)}</span>,
    },
    { key: "b", title: label(p.pair.b), value: (r) => r.b, render: (r) => r.b.toFixed(3) },
    { key: "a", title: label(p.pair.a), value: (r) => r.a, render: (r) => r.a.toFixed(3) },
    {
      key: "difference", title: "Difference", value: (r) => r.a - r.b,
      render: (r) => <span class={r.a > r.b ? "good" : r.a < r.b ? "bad" : "muted"}>{signed(r.a - r.b, 3)}</span>,
    },
  ];
  const points = useMemo(
    () =>
      rows.map((r) => ({
        name: r.task.slice(prefix.length), x: r.b, y: r.a, href: href(`${p.at}/compare/${p.other}`, { task: r.example }),
      })),
    [rows],
  );
  return (
    <>
      <section aria-label="Tasks">
        <div class="section-head">
          <h2>Tasks</h2>
          <label class="inline">
            Show{" "}
            <select value={which} onChange={(e) => setQuery({ which: e.currentTarget.value })}>
              <option value="">all {rows.length}</option>
              <option value="better">better ({better})</option>
              <option value="worse">worse ({worse})</option>
            </select>
          </label>
          <span class="muted">{better} better, {worse} worse, {rows.length - better - worse} alike</span>
        </div>
        <div class="two">
          <Scatter
            name="task-rewards" title="Mean reward of each task: above the line is better" diagonal
            x={{ label: label(p.pair.b), from0: true }} y={{ label: label(p.pair.a), from0: true }} points={points}
          />
          <div class="tall">
            <Table
              name="Tasks" rows={rows} columns={columns} onOpen={(r) => setQuery({ task: r.example, ra: "", rb: "" })}
              selected={(r) => r === chosen} {...(filter ? { filter } : {})}
            />
          </div>
        </div>
      </section>
      {chosen ? (
        <SideBySide pair={p.pair} example={chosen.example} task={chosen.task} at={p.at} />
      ) : (
        <p class="muted">Choose a task to see two rollouts turn by turn.</p>
      )}
    </>
  );
}

/** The tasks that both evals have a reward of, by example number, as `deeprepo eval compare` pairs them. */
function pairTasks(pair: Pair): TaskRow[] {
  const first = (doc: EvalDoc) => {
    const at = new Map<number, number>();
    doc.rows.example.forEach((e, n) => at.has(e) || at.set(e, n));
    return at;
  };
  const [firstA, firstB] = [first(pair.rowsA), first(pair.rowsB)];
  const of = new Map((pair.rowsB.summary.tasks ?? []).map((t) => [t.example_id, t]));
  const rows: TaskRow[] = [];
  for (const t of pair.rowsA.summary.tasks ?? []) {
    const u = of.get(t.example_id);
    if (u === undefined || t.mean === null || u.mean === null) continue;
    rows.push({
      example: t.example_id, task: t.task || "example " + t.example_id, a: t.mean, b: u.mean, nA: firstA.get(t.example_id) ?? 0,
      nB: firstB.get(t.example_id) ?? 0,
    });
  }
  return rows;
}

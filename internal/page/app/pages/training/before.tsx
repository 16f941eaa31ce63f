/** Before and after: the figures side by side, and task by task. */
import { useMemo } from "preact/hooks";
import type { EvalSpread, EvalSummary, Run, TrainingCells, TrainingSummary } from "../../documents";
import { count, href, percent, Scatter, Table, type Column } from "../../kit";
import { interval, share } from "../eval/facts";
import { commonPrefix } from "../eval/names";
import { signed } from "../eval/parts";
import { changesOfSummaries, worsened } from "../eval/worse";
import { parameters } from "./words";

interface Quantity {
  name: string;
  of: (e: EvalSummary, cells: TrainingCells | null | undefined) => string;
}

const quantities: Quantity[] = [
  {
    name: "Reward, mean",
    of: (e) => (e.reward.mean === null ? "–" : `${e.reward.mean.toFixed(3)} (σ ${(e.reward.std ?? 0).toFixed(3)})`),
  },
  { name: "95% interval", of: (e) => (e.reward.ci95 ? interval(e.reward.ci95) : `none: ${e.reward.ci95_why ?? "not known"}`) },
  {
    name: "Reward, range",
    of: (e) => (e.reward.min === null || e.reward.max === null ? "–" : `${e.reward.min.toFixed(3)} to ${e.reward.max.toFixed(3)}`),
  },
  { name: "Turns, mean and range", of: metric("num_turns", 2, 0) },
  { name: "Output tokens a rollout", of: (e) => (e.done > 0 ? count(e.usage.root.output_tokens / e.done) : "–") },
  { name: "Dispatches, mean and range", of: metric("dispatches", 1, 0) },
  { name: "Zero delegation", of: (e) => (e.zero_delegation ? share(e.zero_delegation) : "–") },
  { name: "Over-exploration", of: (e) => (e.over_exploration ? share(e.over_exploration) : "–") },
  { name: "Cells that failed", of: written((c) => c.errors) },
  { name: "Cells that are not Python", of: written((c) => c.syntax) },
  { name: "Coverage, mean and range", of: metric("coverage", 2, 2) },
  { name: "Recall, mean and range", of: metric("recall", 2, 2) },
  { name: "Rollouts that count", of: (e) => `${count(e.done - e.errors)}, of ${count(e.examples)} tasks` },
];

function metric(name: string, digits: number, ends: number): Quantity["of"] {
  return (e) => {
    const m: EvalSpread | undefined = e.metrics?.[name];
    if (!m || m.mean === null || m.min === null || m.max === null) return "–";
    return `${m.mean.toFixed(digits)} (${m.min.toFixed(ends)} to ${m.max.toFixed(ends)})`;
  };
}

function written(of: (c: TrainingCells) => number): Quantity["of"] {
  return (_, c) => (!c || c.cells === 0 ? "–" : `${percent(of(c) / c.cells, 1)} (${count(of(c))} of ${count(c.cells)})`);
}

/** The before/after table, and the rewards of the tasks. */
export function BeforeAfter(p: { summary: TrainingSummary; run: Run }) {
  const s = p.summary;
  if (s.before === null && s.after === null) return null;
  const model = [s.size || "a given model", s.parameters > 0 ? parameters(s.parameters) : ""].filter(Boolean).join(", ");
  const columns: Column<Quantity>[] = [
    { key: "name", title: "Figure", sort: false, value: (q) => q.name },
    {
      key: "before", title: s.before ? `Before: ${model}` : "Before", sort: false, align: "right",
      value: (q) => (s.before ? q.of(s.before, s.before_cells ?? null) : "–"),
    },
    {
      key: "after", title: `After: ${s.method}, ${count(s.steps)} steps`, sort: false, align: "right",
      value: (q) => (s.after ? q.of(s.after, s.after_cells ?? null) : "–"),
    },
  ];
  return (
    <section aria-label="Before and after">
      <div class="section-head">
        <h2>Before and after</h2>
        <Evals run={p.run} />
      </div>
      <div class="two">
        <div class="figures"><Table name="Before and after" rows={quantities} columns={columns} /></div>
        <ByTask summary={s} />
      </div>
    </section>
  );
}

/** Links to the evals in the training's directory. */
function Evals(p: { run: Run }) {
  const child = (name: string) => p.run.children.find((c) => c.path === `${p.run.path}/${name}`);
  const [before, after] = [child("before"), child("after")];
  return (
    <span class="links">
      {before ? <a href={href(`/run/${before.id}/eval`)}>rollouts before</a> : null}
      {after ? <a href={href(`/run/${after.id}/eval`)}>rollouts after</a> : null}
      {before && after ? <a href={href(`/run/${after.id}/eval/compare/${before.id}`)}>compare task by task, turn by turn</a> : null}
    </span>
  );
}

/** The tasks of both evals, with their rewards. */
function tasksOf(s: TrainingSummary): { task: string; example: number; was: number; is: number }[] {
  const before = new Map((s.before?.tasks ?? []).map((t) => [t.example_id, t.mean]));
  return (s.after?.tasks ?? []).flatMap((t) => {
    const was = before.get(t.example_id);
    return was === undefined || was === null || t.mean === null ? [] : [{ task: t.task, example: t.example_id, was, is: t.mean }];
  });
}

/** What got worse in a training, in words. */
export function worseAfter(s: TrainingSummary): string[] {
  const tasks = tasksOf(s);
  const worse = tasks.filter((t) => t.is < t.was - 1e-9).length;
  return worsened({ worse, of: tasks.length }, s.before && s.after ? changesOfSummaries(s.before, s.after) : []);
}

function ByTask(p: { summary: TrainingSummary }) {
  const rows = useMemo(() => {
    const prefix = commonPrefix((p.summary.after?.tasks ?? []).map((t) => t.task));
    return tasksOf(p.summary).map((t) => ({ name: t.task.slice(prefix.length) || "example " + t.example, x: t.was, y: t.is }));
  }, [p.summary]);
  if (rows.length === 0) return null;
  const better = rows.filter((r) => r.y > r.x + 1e-9).length;
  const worse = rows.filter((r) => r.y < r.x - 1e-9).length;
  const diff = p.summary.test?.diff ?? null;
  return (
    <div>
      <Scatter
        name="before-after" title="Mean reward of each task: above the line is better" diagonal x={{ label: "before", from0: true }}
        y={{ label: "after", from0: true }} points={rows}
      />
      <p class="muted">
        {count(better)} of {count(rows.length)} tasks better, {count(worse)} worse, {count(rows.length - better - worse)} alike
        {diff === null ? "" : `; difference ${signed(diff, 3)}`}.
      </p>
    </div>
  );
}

/** What a training's steps show, drawn; and all of it in a table. */
import { useMemo } from "preact/hooks";
import type { TrainingSteps } from "../../documents";
import { LineChart, setQuery, Table, useRoute, type Axis, type Column, type Series } from "../../kit";
import { SmoothControl, useWindow, withMeans } from "./smooth";

/** One picture: which columns it has, and what they are called. */
interface Picture {
  key: string;
  title: string;
  y: Axis;
  lines: {
    column: string; name: string; marks?: boolean;
    /** Of rollouts that were learnt from: those of step 0 were not. */ played?: boolean;
  }[];
}

const common: Picture[] = [
  {
    key: "grad-norm", title: "Gradient norm before clipping", y: { label: "norm", from0: true },
    lines: [{ column: "grad_norm", name: "gradient norm" }],
  },
  { key: "lr", title: "Learning rate", y: { label: "rate", from0: true }, lines: [{ column: "lr", name: "learning rate" }] },
  {
    key: "speed", title: "Tokens a second", y: { label: "tokens/s", from0: true },
    lines: [{ column: "tokens_per_second", name: "tokens/s" }],
  },
];

const pictures: { [method: string]: Picture[] } = {
  sft: [
    {
      key: "loss", title: "Loss", y: { label: "nats a token", from0: true },
      lines: [{ column: "loss", name: "of the lessons" }, { column: "heldout", name: "of demonstrations of other tasks", marks: true }],
    },
    ...common,
  ],
  dpo: [
    {
      key: "heldout", title: "Reward on held-out tasks", y: { label: "mean reward", from0: true },
      lines: [{ column: "heldout", name: "held out", marks: true }],
    },
    {
      key: "loss", title: "Loss (ln 2 = 0.693 is that of a model that prefers nothing)", y: { label: "loss", from0: true },
      lines: [
        { column: "loss", name: "loss" },
        { column: "preference_loss", name: "its part that compares" },
        { column: "heldout_pairs.preference_loss", name: "pairs of other tasks", marks: true },
      ],
    },
    {
      key: "margin", title: "Margin between chosen and rejected", y: { label: "margin" },
      lines: [{ column: "margin", name: "margin" }, { column: "heldout_pairs.margin", name: "pairs of other tasks", marks: true }],
    },
    {
      key: "accuracy", title: "Pairs whose chosen side is preferred", y: { label: "share of the pairs", percent: true, from0: true },
      lines: [{ column: "accuracy", name: "accuracy" }, { column: "heldout_pairs.accuracy", name: "pairs of other tasks", marks: true }],
    },
    {
      key: "logp", title: "Log-probabilities", y: { label: "nats a sequence" },
      lines: [
        { column: "chosen_logp", name: "chosen" },
        { column: "rejected_logp", name: "rejected" },
        { column: "heldout_pairs.chosen_logp", name: "chosen, other tasks", marks: true },
        { column: "heldout_pairs.rejected_logp", name: "rejected, other tasks", marks: true },
      ],
    },
    {
      key: "drift", title: "How much likelier the chosen side became than under the reference", y: { label: "nats a token" },
      lines: [
        { column: "chosen_drift", name: "chosen drift" },
        { column: "heldout_pairs.chosen_drift", name: "pairs of other tasks", marks: true },
      ],
    },
    ...common,
  ],
  grpo: [
    {
      key: "reward", title: "Reward", y: { label: "mean reward", from0: true },
      lines: [{ column: "reward", name: "training tasks", played: true }, { column: "heldout", name: "held-out tasks", marks: true }],
    },
    {
      key: "turns", title: "Turns of a rollout", y: { label: "mean turns", from0: true },
      lines: [{ column: "turns", name: "turns", played: true }],
    },
    {
      key: "dispatches", title: "Dispatches of a rollout", y: { label: "mean dispatches", from0: true },
      lines: [{ column: "dispatches", name: "dispatches", played: true }],
    },
    {
      key: "conduct", title: "What goes wrong", y: { label: "share", percent: true, from0: true },
      lines: [
        { column: "cell_errors", name: "cells that fail", played: true },
        { column: "syntax_errors", name: "cells that are no Python", played: true },
        { column: "zero_delegation", name: "rollouts without a dispatch", played: true },
        { column: "over_explored", name: "rollouts that over-explore", played: true },
        { column: "cut", name: "cells cut at their limit", played: true },
      ],
    },
    {
      key: "coverage", title: "Coverage and batching", y: { label: "share", percent: true, from0: true },
      lines: [{ column: "coverage", name: "coverage", played: true }, { column: "batching", name: "batching", played: true }],
    },
    {
      key: "kl", title: "Divergence from the base", y: { label: "nats a token", from0: true },
      lines: [{ column: "kl", name: "KL", played: true }],
    },
    {
      key: "entropy", title: "Entropy of the written tokens", y: { label: "nats a token", from0: true },
      lines: [{ column: "entropy", name: "entropy", played: true }],
    },
    { key: "loss", title: "Loss", y: { label: "loss" }, lines: [{ column: "loss", name: "loss", played: true }] },
    {
      key: "groups", title: "Groups without a signal, clipped tokens", y: { label: "share", percent: true, from0: true },
      lines: [
        { column: "dead_groups", name: "groups whose rollouts all earned the same", played: true },
        { column: "clip_fraction", name: "tokens clipped", played: true },
      ],
    },
    {
      key: "seconds", title: "Where the time goes", y: { label: "seconds a step", from0: true },
      lines: [
        { column: "play_seconds", name: "rollouts" },
        { column: "learn_seconds", name: "learning" },
        { column: "heldout_seconds", name: "held-out rollouts", marks: true },
      ],
    },
    ...common,
  ],
};

/** A column that several trainings are laid over one another by. */
export interface Measure {
  column: string;
  title: string;
  y: Axis;
  marks?: boolean;
  played?: boolean;
}

/** Every column that any method draws, once. */
export function measures(): Measure[] {
  const all = new Map<string, Measure>();
  for (const picture of [...(pictures["grpo"] ?? []), ...(pictures["dpo"] ?? []), ...(pictures["sft"] ?? [])]) {
    for (const { column, name, ...of } of picture.lines) {
      const title = picture.lines.length > 1 ? `${picture.title}: ${name}` : picture.title;
      if (!all.has(column)) all.set(column, { column, title, y: picture.y, ...of });
    }
  }
  return [...all.values()];
}

/** The curves of a training; `best` marks the step whose policy was kept. */
export function Curves(p: { method: string; steps: TrainingSteps; best: number | null }) {
  const charts = useMemo(() => draw(p.method, p.steps, p.best), [p.method, p.steps, p.best]);
  const { query } = useRoute();
  const window = useWindow();
  const shown = useMemo(() => charts.map((c) => ({ ...c, series: withMeans(c.series, window) })), [charts, window]);
  const table = query["steps"] === "table";
  return (
    <>
      <SmoothControl />
      <div class="charts">
        {shown.map((c) => (
          <LineChart key={c.key} name={c.key} title={c.title} x={{ label: "step" }} y={c.y} series={c.series} />
        ))}
      </div>
      <button type="button" class="button" aria-expanded={table} onClick={() => setQuery({ steps: table ? "" : "table" })}>
        {table ? "Hide the table of steps" : "All steps in a table"}
      </button>
      {table ? <StepTable steps={p.steps} /> : null}
    </>
  );
}

/** The pictures of a method that have anything to show. */
function draw(
  method: string, steps: TrainingSteps, best: number | null,
): { key: string; title: string; y: Axis; series: Series[] }[] {
  const out: { key: string; title: string; y: Axis; series: Series[] }[] = [];
  for (const picture of pictures[method] ?? pictures["grpo"] ?? []) {
    const series: Series[] = [];
    for (const line of picture.lines) {
      const column = steps.columns[line.column];
      if (column === undefined) continue;
      const first = steps.columns["loss"];
      // All of the loss is preference: there is no other part to tell it from.
      if (line.column === "preference_loss" && first !== undefined && column.every((v, i) => v === first[i])) continue;
      const points = seriesOf(steps.step, column, line.played === true, line.marks === true);
      if (!points.some(([, y]) => y !== null)) continue;
      series.push({ name: line.name, points, ...(line.marks ? { marks: true } : {}) });
    }
    if (picture.key === "reward" && best !== null) {
      const at = steps.step.indexOf(best);
      const value = at < 0 ? null : (steps.columns["heldout"]?.[at] ?? null);
      if (value !== null) series.push({ name: `kept: step ${best}`, points: [[best, value]], marks: true });
    }
    if (series.length > 0) out.push({ key: picture.key, title: picture.title, y: picture.y, series });
  }
  return out;
}

/** A column's points: what was played is drawn from the first step that was learnt from, what is sparse without gaps. */
export function seriesOf(step: number[], column: (number | null)[], played: boolean, sparse: boolean): [number, number | null][] {
  const points: [number, number | null][] = [];
  step.forEach((x, i) => {
    const y = column[i] ?? null;
    if (played && x === 0) return;
    if (sparse && y === null) return; // measured now and then: the line goes on
    points.push([x, y]);
  });
  return points;
}

function StepTable(p: { steps: TrainingSteps }) {
  const indexes = useMemo(() => p.steps.step.map((_, i) => i), [p.steps]);
  const columns = useMemo<Column<number>[]>(
    () => [
      { key: "step", title: "step", value: (i) => p.steps.step[i] ?? null },
      ...Object.keys(p.steps.columns).map((name): Column<number> => ({
        key: name,
        title: name.replaceAll("_", " "),
        align: "right",
        value: (i) => p.steps.columns[name]?.[i] ?? null,
        render: (i) => short(p.steps.columns[name]?.[i] ?? null),
      })),
    ],
    [p.steps],
  );
  return <Table name="Steps" rows={indexes} columns={columns} />;
}

function short(v: number | null): string {
  if (v === null) return "";
  return Number.isInteger(v) ? v.toLocaleString("en-US") : String(Number(v.toPrecision(4)));
}

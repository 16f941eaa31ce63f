/** Several trainings side by side: seeds, sizes, ablations. The statistics are `deeprepo train compare`'s. */
import { useMemo } from "preact/hooks";
import {
  ProblemBox, useDoc, type Run, type TrainingComparison, type TrainingFigure, type TrainingGroup, type TrainingLine, type TrainingSteps,
} from "../../documents";
import { Badge, count, go, LineChart, Loading, percent, Table, Visible, type Column, type Series } from "../../kit";
import { commonPrefix } from "../eval/names";
import { useOther, useRunsLike } from "../eval/other";
import { signed } from "../eval/parts";
import { ends, pvalue } from "../eval/test";
import { measures, seriesOf, type Measure } from "./curves";
import { SmoothControl, useWindow, withMeans } from "./smooth";
import { parameters } from "./words";

/** At most so many trainings are set side by side. */
const most = 12;

/** Chooses trainings to set beside this one. */
export function CompareWith(p: { run: Run; at: string; chosen?: string[] }) {
  const chosen = p.chosen ?? [];
  const others = useRunsLike("training").filter((r) => r.status !== "broken" && !chosen.includes(r.id));
  if (others.length === 0 || chosen.length >= most) return null;
  return (
    <label class="inline">
      {chosen.length > 0 ? "Add" : "Set beside"}{" "}
      <select
        value="" onChange={(e) => e.currentTarget.value !== "" && go(`${p.at}/compare/${[...chosen, e.currentTarget.value].join(",")}`)}
      >
        <option value="">another training</option>
        {others.map((r) => (
          <option key={r.id} value={r.id}>{r.path}: {r.headline}</option>
        ))}
      </select>
    </label>
  );
}

/** "training/compare/ID,ID". */
export function ComparePage(p: { run: Run; others: string; at: string }) {
  const chosen = p.others.split(",").filter((id) => id !== "").slice(0, most);
  const { doc, error } = useDoc<TrainingComparison>(`training/compare/${chosen.join(",")}`);
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  return (
    <div class="measures stack">
      <div class="section-head">
        <h2>{count(doc.runs.length)} trainings side by side</h2>
        <CompareWith run={p.run} at={p.at} chosen={chosen} />
      </div>
      <Joint doc={doc} ids={[p.run.id, ...chosen]} />
    </div>
  );
}

/** Takes from a run's path what all of them begin with. */
function shortened(doc: TrainingComparison): (run: string) => string {
  const prefix = commonPrefix(doc.runs.map((l) => l.run));
  return (run) => run.slice(prefix.length) || run;
}

/** The tables and the curves. `ids` are the runs' in the order of the document; in a file they have none. */
export function Joint(p: { doc: TrainingComparison; ids: string[] | null }) {
  const { doc } = p;
  const short = shortened(doc);
  const columns: Column<TrainingLine>[] = [
    {
      key: "run", title: "Run", value: (l) => l.run,
      render: (l) => (
        <span class="one-name" title={l.run}>
          <Visible text={short(l.run)} />
          {l.status === "completed" ? null : (
            <>
              {" "}
              <Badge tone="warn">{l.status}</Badge>
            </>
          )}
        </span>
      ),
    },
    ...lineColumns,
  ];
  return (
    <>
      <section aria-label="Trainings">
        <Table name="Trainings" rows={doc.runs} columns={columns} />
      </section>
      <Overlay doc={doc} ids={p.ids} />
      <section aria-label="Over seeds">
        <h2>Over seeds</h2>
        <Table name="Over seeds" rows={doc.groups} columns={groupColumns} />
      </section>
      {doc.effects && doc.effects.length > 0 ? (
        <section aria-label="Training and size">
          <h2>Training and size</h2>
          <Table
            name="Training and size"
            rows={doc.effects}
            columns={[
              { key: "kind", title: "Effect", value: (e) => e.kind },
              { key: "from", title: "From", value: (e) => e.from },
              { key: "to", title: "To", value: (e) => e.to },
              { key: "difference", title: "Difference", value: (e) => e.difference, render: (e) => signed(e.difference, 3) },
            ]}
          />
        </section>
      ) : null}
      <section aria-label="Caveats">
        <h2>Caveats</h2>
        <ul class="rules">{doc.caveats.map((c) => <li key={c}><Visible text={c} /></li>)}</ul>
      </section>
    </>
  );
}

const lineColumns: Column<TrainingLine>[] = [
  { key: "method", title: "Method", value: (l) => l.method },
  {
    key: "size", title: "Size", value: (l) => l.parameters, align: "left",
    render: (l) => [l.size, parameters(l.parameters)].filter(Boolean).join(" "),
  },
  { key: "seed", title: "Seed", value: (l) => l.seed },
  { key: "steps", title: "Steps", value: (l) => l.steps, render: (l) => count(l.steps) },
  { key: "environment", title: "Trained in", value: (l) => l.environment },
  { key: "before", title: "Before", align: "right", value: (l) => l.before?.mean ?? null, render: (l) => figure(l.before, false) },
  { key: "after", title: "After", align: "right", value: (l) => l.after?.mean ?? null, render: (l) => figure(l.after, false) },
  {
    key: "difference", title: "Difference", align: "right", value: (l) => l.difference?.mean ?? null,
    render: (l) => figure(l.difference, true),
  },
  { key: "p", title: "p", align: "right", value: (l) => l.p, render: (l) => (l.p === null ? "–" : pvalue(l.p)) },
  {
    key: "zero", title: "Zero delegation", align: "right", value: (l) => l.zero_delegation[1] ?? null,
    render: (l) => change(l.zero_delegation, (v) => percent(v)),
  },
  {
    key: "over", title: "Over-exploration", align: "right", value: (l) => l.over_exploration[1] ?? null,
    render: (l) => change(l.over_exploration, (v) => percent(v)),
  },
  { key: "turns", title: "Turns", align: "right", value: (l) => l.turns[1] ?? null, render: (l) => change(l.turns, (v) => v.toFixed(2)) },
];

const groupColumns: Column<TrainingGroup>[] = [
  { key: "name", title: "Trainings", value: (g) => g.name },
  { key: "parameters", title: "Parameters", align: "right", value: (g) => g.parameters, render: (g) => parameters(g.parameters) },
  { key: "seeds", title: "Seeds", value: (g) => g.seeds.join(" ") },
  { key: "before", title: "Before", align: "right", value: (g) => g.before?.mean ?? null, render: (g) => figure(g.before, false) },
  { key: "after", title: "After", align: "right", value: (g) => g.after?.mean ?? null, render: (g) => figure(g.after, false) },
  {
    key: "difference", title: "Difference", align: "right", value: (g) => g.difference?.mean ?? null,
    render: (g) => figure(g.difference, true),
  },
  {
    key: "zb", title: "Zero delegation before", align: "right", value: (g) => g.zero_delegation_before?.mean ?? null,
    render: (g) => figure(g.zero_delegation_before, false),
  },
  {
    key: "za", title: "after", align: "right", value: (g) => g.zero_delegation_after?.mean ?? null,
    render: (g) => figure(g.zero_delegation_after, false),
  },
];

function figure(f: TrainingFigure | null, sign: boolean): string {
  if (f === null) return "–";
  const mean = sign ? signed(f.mean, 3) : f.mean.toFixed(3);
  return f.ci95.lo === null ? mean : `${mean} ${ends(f.ci95)}`;
}

function change(v: (number | null)[], write: (v: number) => string): string {
  const word = (x: number | null | undefined) => (x === null || x === undefined ? "–" : write(x));
  return `${word(v[0])} to ${word(v[1])}`;
}

/** All trainings laid over one another, a picture a measure; an imitation's held-out measure is a loss and left out of rewards. */
function Overlay(p: { doc: TrainingComparison; ids: string[] | null }) {
  const ids = p.doc.runs.map((_, i) => (p.ids === null ? "" : (p.ids[i] ?? null)));
  // A hook a run: there are always `most` of them, for hooks may not come and go.
  const all = Array.from(
    { length: most + 1 },
    (_, i) => useOther<TrainingSteps>(ids[i] ?? null, p.ids === null ? `training/compare/${i}` : "training/0").doc,
  );
  const short = shortened(p.doc);
  const window = useWindow();
  const charts = useMemo(
    () => overlays(p.doc.runs.map((l, i) => ({ name: short(l.run), method: l.method, steps: all[i] }))),
    [p.doc, ...all],
  );
  const shown = useMemo(() => charts.map((c) => ({ ...c, series: withMeans(c.series, window) })), [charts, window]);
  if (charts.length === 0) return null;
  return (
    <section aria-label="By step">
      <div class="section-head">
        <h2>By step</h2>
        <SmoothControl />
      </div>
      <div class="charts">
        {shown.map((c) => (
          <LineChart key={c.column} name={c.column} title={c.title} x={{ label: "step" }} y={c.y} series={c.series} />
        ))}
      </div>
    </section>
  );
}

/** The pictures of several trainings: every measure that at least one of them has, a line a training. */
export function overlays(
  runs: readonly { name: string; method: string; steps: TrainingSteps | undefined }[],
): (Measure & { series: Series[] })[] {
  const heldout = "heldout";
  const first = measures().sort((a, b) => Number(b.column === heldout) - Number(a.column === heldout));
  return first.flatMap((m) => {
    const series = runs.flatMap(({ name, method, steps }): Series[] => {
      const column = steps?.columns[m.column];
      if (steps === undefined || column === undefined || (m.column === heldout && method === "sft")) return [];
      const points = seriesOf(steps.step, column, m.played === true, m.marks === true);
      return points.some(([, y]) => y !== null) ? [{ name, points, ...(m.marks ? { marks: true } : {}) }] : [];
    });
    return series.length > 0 ? [{ ...m, title: m.column === heldout ? "Reward on held-out tasks" : m.title, series }] : [];
  });
}

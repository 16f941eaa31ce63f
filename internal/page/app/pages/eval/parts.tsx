/** What rewards are made of, and how they and the metrics are spread. */
import { useMemo } from "preact/hooks";
import type { EvalDoc } from "../../documents";
import { Bars, count, Distribution, setQuery, Table, useRoute, type Column } from "../../kit";
import { interval } from "./facts";

interface PartRow {
  name: string;
  weight: number;
  value: number | null;
  ci: readonly [number, number] | null;
  why: string;
}

const columns: Column<PartRow>[] = [
  { key: "name", title: "Part", value: (r) => r.name },
  { key: "weight", title: "Weight", value: (r) => r.weight, render: (r) => signed(r.weight, 2) },
  { key: "value", title: "Mean value", value: (r) => r.value, render: (r) => (r.value === null ? "?" : r.value.toFixed(3)) },
  {
    key: "ci", title: "95% interval", align: "right", sort: false, value: (r) => (r.ci ? interval(r.ci) : r.why),
    render: (r) => (r.ci ? <span class="interval">{interval(r.ci)}</span> : <span class="muted">{r.why}</span>),
  },
  { key: "gives", title: "Value × weight", value: (r) => gives(r), render: (r) => signed(gives(r), 3) },
];

function gives(r: PartRow): number | null {
  return r.value === null ? null : r.value * r.weight;
}

/** "+0.450", "-0.010". */
export function signed(v: number | null, digits: number): string {
  if (v === null) return "?";
  const text = digits === 0 ? count(Math.abs(v)) : Math.abs(v).toFixed(digits);
  return (v < 0 && !/^[0.]*$/.test(text) ? "−" : v > 0 ? "+" : "") + text;
}

/** Said where the parts of a reward do not add up to it. */
export const notAdded =
  "The parts do not simply add up to the reward: this environment's rubric combines them its own way and keeps the reward in its bounds.";

/** Whether every rollout's reward is the sum of its parts' values times weights. */
function addsUp(doc: EvalDoc): boolean {
  const { rows, parts } = doc;
  for (let n = 0; n < rows.total; n++) {
    const reward = rows.reward[n];
    if (reward === null || reward === undefined) continue;
    let sum = 0;
    for (let k = 0; k < parts.length; k++) sum += (rows.parts[k]?.[n] ?? 0) * (parts[k]?.weight ?? 0);
    if (Math.abs(sum - reward) > 0.001) return false;
  }
  return true;
}

/** The parts of the reward: each mean with its interval. */
export function Parts(p: { doc: EvalDoc }) {
  const rows = useMemo<PartRow[]>(
    () =>
      p.doc.parts.map((part) => ({
        name: part.name, weight: part.weight, value: part.value.mean, ci: part.value.ci95, why: part.value.ci95_why ?? "",
      })),
    [p.doc],
  );
  if (rows.length === 0) return null;
  const adds = useMemo(() => addsUp(p.doc), [p.doc]);
  const bars = rows
    .filter((r) => gives(r) !== null)
    .map((r) => ({ name: r.name, parts: [{ name: "value × weight", value: gives(r) ?? 0 }] }));
  return (
    <section aria-label="Parts of the reward">
      <h2>Parts of the reward</h2>
      <div class="two">
        <Table name="Parts of the reward" rows={rows} columns={columns} />
        <Bars name="reward-parts" title="Mean value times weight of each part" rows={bars} />
      </div>
      {adds ? null : <p class="muted">{notAdded}</p>}
    </section>
  );
}

/** How the reward, or a metric, is spread over the rollouts: all of them, and by how they ended. */
export function Spreads(p: { doc: EvalDoc }) {
  const { query } = useRoute();
  const { rows } = p.doc;
  const chosen = query["spread"] ?? "reward";
  const groups = useMemo(() => {
    const at = rows.metrics.indexOf(chosen);
    const column = at < 0 ? rows.reward : (rows.values[at] ?? []);
    const pick = (keep: (n: number) => boolean) => {
      const values: number[] = [];
      for (let n = 0; n < rows.total; n++) {
        const v = column[n];
        if (v !== null && v !== undefined && rows.failure[n] === -1 && keep(n)) values.push(v);
      }
      return values;
    };
    const all = [{ name: "all rollouts", values: pick(() => true) }];
    if (rows.stops.length > 1)
      rows.stops.forEach((name, i) => all.push({ name: name || "not said", values: pick((n) => rows.stop[n] === i) }));
    return all.filter((g) => g.values.length > 0).slice(0, 8);
  }, [rows, chosen]);
  return (
    <section aria-label="Distribution">
      <div class="section-head">
        <h2>Distribution</h2>
        <label class="inline">
          Of{" "}
          <select value={chosen} onChange={(e) => setQuery({ spread: e.currentTarget.value === "reward" ? "" : e.currentTarget.value })}>
            <option value="reward">reward</option>
            {rows.metrics.map((m) => (
              <option key={m} value={m}>{m}</option>
            ))}
          </select>
        </label>
      </div>
      <Distribution name={"distribution-" + chosen} title={`${chosen}, by how the rollout ended`} groups={groups} />
    </section>
  );
}

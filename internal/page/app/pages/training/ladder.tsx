/** A ladder of preference pairs: how many, and what they were worth. */
import { useMemo } from "preact/hooks";
import type { Run, TrainingRung, TrainingSummary } from "../../documents";
import { Badge, count, href, percent, plural, Scatter, Table, type Column, type Point } from "../../kit";
import { signed } from "../eval/parts";
import { ends, pvalue } from "../eval/test";

/** A row a size, the base first. */
type Line = TrainingRung | null;

/** The ladder; nothing where there is none. */
export function Ladder(p: { summary: TrainingSummary; run: Run }) {
  const s = p.summary;
  const ladder = s.ladder ?? [];
  const points = useMemo(() => {
    const out: Point[] = [];
    const add = (name: string, x: number, r: TrainingSummary["before"]) => {
      if (r?.reward.mean != null) out.push({ name, x, y: r.reward.mean, ...(r.reward.ci95 ? { yci: r.reward.ci95 } : {}) });
    };
    add("base", 0, s.before);
    for (const rung of ladder) add(`${rung.pairs} pairs`, rung.pairs, rung.after);
    return out;
  }, [s]);
  if (ladder.length === 0) return null;
  const base = s.before?.reward.mean ?? null;
  const page = (r: TrainingRung) => p.run.children.find((c) => r.run.endsWith(c.path.slice(p.run.path.length)) && c.path !== p.run.path);
  const columns: Column<Line>[] = [
    {
      key: "pairs", title: "Pairs", align: "right", value: (r) => r?.pairs ?? 0,
      render: (r) =>
        r === null ? "0 (base)" : page(r) ? <a href={href("/run/" + (page(r)?.id ?? ""))}>{count(r.pairs)}</a> : count(r.pairs),
    },
    { key: "tasks", title: "Tasks", align: "right", value: (r) => r?.tasks ?? null, render: (r) => (r ? count(r.tasks) : "–") },
    { key: "gap", title: "Gap", align: "right", value: (r) => r?.gap ?? null, render: (r) => (r ? r.gap.toFixed(2) : "–") },
    { key: "steps", title: "Steps", align: "right", value: (r) => r?.steps ?? null, render: (r) => (r ? count(r.steps) : "–") },
    {
      key: "reward", title: "Held-out reward", align: "right", value: (r) => (r === null ? base : (r.after?.reward.mean ?? null)),
      render: (r) => three(r === null ? base : (r.after?.reward.mean ?? null)),
    },
    {
      key: "diff", title: "Against the base", align: "right", value: (r) => r?.test?.diff ?? null,
      render: (r) => (r?.test ? signed(r.test.diff, 3) : "–"),
    },
    { key: "ci", title: "95% interval", align: "right", sort: false, value: (r) => (r?.test ? ends(r.test.ci) : "–") },
    {
      key: "p", title: "p (Holm)", align: "right", value: (r) => r?.test?.p_holm ?? null,
      render: (r) => (r?.test ? pvalue(r.test.p_holm) : "–"),
    },
    {
      key: "next", title: "Against the row above", align: "right", value: (r) => r?.next?.diff ?? null,
      render: (r) => (r?.next ? `${signed(r.next.diff, 3)} (p ${pvalue(r.next.p)})` : "–"),
    },
    {
      key: "accuracy", title: "Accuracy on other pairs", align: "right", value: (r) => r?.heldout_pairs?.accuracy ?? null,
      render: (r) => (r?.heldout_pairs ? `${percent(r.heldout_pairs.accuracy)} of ${count(r.heldout_pairs.pairs)}` : "–"),
    },
    {
      key: "loss", title: "Held-out loss", align: "right",
      value: (r) => (r === null ? Math.LN2 : (r.heldout_pairs?.preference_loss ?? null)),
      render: (r) => (r === null ? "0.693" : three(r.heldout_pairs?.preference_loss ?? null)),
    },
    {
      key: "drift", title: "Chosen drift", align: "right", value: (r) => (r === null ? 0 : (r.heldout_pairs?.chosen_drift ?? null)),
      render: (r) => (r === null ? "0" : r.heldout_pairs ? signed(r.heldout_pairs.chosen_drift, 3) : "–"),
    },
    {
      key: "alarms", title: "Alarms", align: "right", value: (r) => r?.alarms.length ?? null,
      render: (r) =>
        r === null ? (
          "–"
        ) : r.alarms.length > 0 ? (
          <Badge tone="bad" title={r.alarms.join("\n")}>
            {count(r.alarms.length)}
          </Badge>
        ) : (
          "0"
        ),
    },
    {
      key: "gate", title: "Gate", value: (r) => (r === null ? "–" : r.passed ? "yes" : "no"),
      render: (r) =>
        r === null ? "–" : r.passed ? <Passed alarms={r.alarms.length} /> : r.status === "completed" ? "no" : `no: ${r.status}`,
    },
  ];
  return (
    <section aria-label="Preference pairs">
      <h2>Preference pairs: how many, and what they were worth</h2>
      <Table name="Preference pairs" rows={[null, ...ladder] as Line[]} columns={columns} />
      {ladder.some((r) => r.alarms.length > 0) ? (
        <ul class="rules">
          {ladder.flatMap((r) =>
            r.alarms.map((a) => (
              <li key={r.pairs + a}>
                Alarm with {count(r.pairs)} pairs: {a}
              </li>
            )),
          )}
        </ul>
      ) : null}
      <Scatter
        name="ladder" title="Held-out reward by the number of pairs, with 95% intervals" x={{ label: "pairs", from0: true }}
        y={{ label: "mean reward", from0: true }} points={points}
      />
    </section>
  );
}

/** That the gate let it pass, and what alarms were raised all the same. */
function Passed(p: { alarms: number }) {
  return p.alarms > 0 ? <Badge tone="warn">yes, with {plural(p.alarms, "alarm")}</Badge> : <Badge tone="good">yes</Badge>;
}

function three(v: number | null): string {
  return v === null ? "–" : v.toFixed(3);
}

/** A comparison: what changed between models on the same tasks, and whether it can be told from luck. */
import { ProblemBox, useDoc, type CompareReport, type Comparison, type Condition } from "../../documents";
import { count, Loading, percent, plural, setQuery, Table, Tabs, useRoute, type Column } from "../../kit";
import { Curve } from "./curve";
import { FlipPage } from "./flip";
import { Interval, spanOf } from "./interval";
import { Pairwise } from "./pairwise";
import { PublishedTable } from "./published";
import { between, chance, points, shares, sizeTitle, testName } from "./words";
import type { PageProps } from "../props";
import { Unknown } from "../unknown";

/** The section "compare". */
export function ComparePage(p: PageProps) {
  if (p.rest[0] === "task" && p.rest.length > 1) return <FlipPage id={p.rest.slice(1).join("/")} />;
  return p.rest.length > 0 ? <Unknown what={p.rest.join("/")} /> : <Overview />;
}

const verdictWords: { [verdicts: string]: string } = { recorded: "As recorded", rescored: "With the tests run" };

function Overview() {
  const { doc, error } = useDoc<Comparison>("compare");
  const { query } = useRoute();
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  const report = doc.reports.find((r) => r.verdicts === query["verdicts"]) ?? doc.reports[0];
  if (report === undefined) return <ProblemBox problem={{ status: 0, message: "The comparison is empty." }} />;
  return (
    <div class="measures coding stack">
      {doc.problem ? <p class="notice warn">{doc.problem}</p> : null}
      {doc.published ? <PublishedTable published={doc.published} /> : null}
      {doc.reports.length > 1 ? (
        <Tabs
          name="Whose verdicts" tabs={doc.reports.map((r) => ({ key: r.verdicts, title: verdictWords[r.verdicts] ?? r.verdicts }))}
          selected={report.verdicts} onSelect={(key) => setQuery({ verdicts: key })}
        />
      ) : (
        <p class="muted">
          {report.verdicts === "recorded"
            ? "The verdicts are those that the files record; nothing was run again."
            : "The tests were run again on the samples of the files."}
        </p>
      )}
      {report.alarm ? <p class="notice alarm" role="note">{report.alarm}</p> : null}
      <Conditions report={report} />
      <Incomparable report={report} />
      <Curve reports={doc.reports} />
      <Pairwise report={report} programs={doc.programs} selected={query["other"]} />
      {report.notes?.length ? (
        <section aria-label="Notes">
          <h2>Notes</h2>
          <ul class="rules">{report.notes.map((n) => <li key={n}>{n}</li>)}</ul>
        </section>
      ) : null}
      <p class="muted">
        {plural(report.resamples, "bootstrap sample")}, seed {report.seed}. Intervals are 95%.
      </p>
    </div>
  );
}

/** Conditions with their rate, and how each differs from its base. */
function Conditions(p: { report: CompareReport }) {
  const { report } = p;
  const against = (c: Condition) => report.comparisons.find((x) => x.other === c.name && x.base === c.base);
  const rates = spanOf(report.conditions.map((c) => ({ value: c.pass_at_1, ci: c.ci95 })));
  const deltas = spanOf(report.comparisons.map((c) => ({ value: c.delta_pp, ci: c.ci95 })));
  const columns: Column<Condition>[] = [
    {
      key: "name", title: "Condition", value: (c) => c.name,
      render: (c) => <strong class="unbroken" title={c.model || c.path}>{c.name}</strong>,
    },
    {
      key: "passed", title: "Passed", align: "right", value: (c) => c.passed,
      render: (c) => <span class="unbroken">{`${count(c.passed)} of ${count(c.judged)}`}</span>,
    },
    { key: "rate", title: "pass@1", value: (c) => c.pass_at_1, render: (c) => percent(c.pass_at_1, 1) },
    {
      key: "ci", title: "95% interval, %", value: (c) => shares(c.ci95),
      render: (c) => <span class="with-mark"><Interval value={c.pass_at_1} ci={c.ci95} {...rates} label="" /> {shares(c.ci95)}</span>,
    },
    {
      key: "delta", title: "Against base, pp", align: "right", value: (c) => against(c)?.delta_pp ?? null, render: (c) => delta(against(c)),
    },
    {
      key: "delta-ci", title: "95% interval, pp", value: (c) => (against(c) ? between(against(c)?.ci95 ?? null) : ""),
      render: (c) => markOf(against(c), deltas),
    },
    { key: "p", title: "p", align: "right", value: (c) => against(c)?.p ?? null, render: (c) => numberOr(against(c)?.p, chance) },
    {
      key: "holm", title: "p (Holm)", align: "right", value: (c) => against(c)?.p_holm ?? null,
      render: (c) => numberOr(against(c)?.p_holm, chance),
    },
    {
      key: "mde", title: "Detectable, pp", align: "right", value: (c) => against(c)?.minimum_detectable_pp ?? null,
      render: (c) => (against(c) ? numberOr(against(c)?.minimum_detectable_pp ?? undefined, (v) => v.toFixed(1), "?") : ""),
    },
    { key: "empty", title: "Empty", align: "right", value: (c) => c.empty, render: (c) => count(c.empty) },
    { key: "cut", title: "Cut", align: "right", value: (c) => c.truncated, render: (c) => count(c.truncated) },
  ];
  if (report.conditions.some((c) => c.size !== null))
    columns.splice(1, 0, {
      key: "size", title: sizeTitle(report), align: "right", value: (c) => c.size, render: (c) => (c.size === null ? "–" : count(c.size)),
    });
  const tests = [...new Set(report.comparisons.map((c) => testName(c.test)))].join(", ");
  return (
    <section aria-label="Conditions">
      <h2>Conditions</h2>
      <Table name="Conditions" rows={report.conditions} columns={columns} />
      <p class="muted">
        p: {tests || "no test"}; Holm's adjustment is over all comparisons here. Detectable: the change that so many tasks would show to be
        significant 80 times in 100.
      </p>
    </section>
  );
}

function delta(c: { delta_pp: number } | undefined): string {
  return c === undefined ? "base" : points(c.delta_pp);
}

function numberOr(v: number | undefined, write: (v: number) => string, none = ""): string {
  return v === undefined ? none : write(v);
}

function markOf(c: { delta_pp: number; ci95: [number, number] | null } | undefined, span: { from: number; to: number }) {
  if (c === undefined) return null;
  return (
    <span class="with-mark">
      <Interval value={c.delta_pp} ci={c.ci95} {...span} zero label="" /> {between(c.ci95)}
    </span>
  );
}

/** What makes conditions hard to compare, said plainly. */
function Incomparable(p: { report: CompareReport }) {
  const said: string[] = [];
  const forms = [...new Set(p.report.conditions.map((c) => c.form))];
  if (forms.length > 1) said.push(`The result files have different forms (${forms.join(", ")}): different harnesses may have made them.`);
  for (const c of p.report.comparisons) {
    const [base, other, unjudged] = [c.only_base, c.only_other, c.unjudged].map((tasks) => tasks?.length ?? 0) as [number, number, number];
    if (base + other + unjudged > 0) {
      const why = `${base} only in the base, ${other} only in the other, ${unjudged} without a verdict`;
      said.push(
        `${c.other} against ${c.base} is over the ${plural(c.tasks, "task")} that both have; ` +
          `${plural(base + other + unjudged, "task")} left out (${why}).`,
      );
    }
    if (c.empty_wins)
      said.push(`${c.other} against ${c.base}: on ${plural(c.empty_wins, "task")} the side that did better had generated nothing.`);
  }
  for (const c of p.report.conditions) if (c.warnings?.length) said.push(`${c.name}: ${c.warnings.join("; ")}.`);
  if (said.length === 0) return null;
  return (
    <section aria-label="What makes the conditions hard to compare">
      <h2>What makes the conditions hard to compare</h2>
      <ul class="remarks">{said.map((s) => <li key={s}>{s}</li>)}</ul>
    </section>
  );
}

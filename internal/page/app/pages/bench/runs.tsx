/** What each configuration did on each codebase, and the runs themselves. */
import { useMemo } from "preact/hooks";
import { useSource, type BenchCodebase, type BenchDoc, type BenchReview, type BenchRow, type Run } from "../../documents";
import { Badge, count, money, percent, seconds, Table, type Column } from "../../kit";
import { done, reviewHref } from "./reviews";

/** Defects found by codebase; findings where there is no truth. */
export function Codebases(p: { doc: BenchDoc }) {
  if (p.doc.codebases.length < 2) return null;
  const columns: Column<BenchCodebase>[] = [
    { key: "name", title: "Codebase", value: (b) => b.name },
    { key: "files", title: "Files", value: (b) => b.files, render: (b) => count(b.files) },
    { key: "lines", title: "Lines", value: (b) => b.lines, render: (b) => count(b.lines) },
    ...p.doc.rows.map((r, i): Column<BenchCodebase> => ({
      key: "c" + i, title: r.config, align: "right", value: (b) => found(r, b).value, render: (b) => found(r, b).text,
    })),
  ];
  return (
    <section aria-label="By codebase">
      <h2>By codebase</h2>
      <Table name="By codebase" rows={p.doc.codebases} columns={columns} />
      <p class="muted">Defects found of all there are (findings where there is no ground truth), and cost; summed over repeats.</p>
    </section>
  );
}

function found(r: BenchRow, b: BenchCodebase): { value: number | null; text: string } {
  const runs = done(r).filter((x) => x.codebase === b.name);
  if (runs.length === 0) return { value: null, text: "?" };
  const cost = runs.reduce<number | null>((sum, x) => (sum === null || x.cost_usd === null ? null : sum + x.cost_usd), 0);
  const judged = runs.filter((x) => x.truth);
  if (judged.length > 0) {
    const hits = judged.reduce((sum, x) => sum + (x.truth?.found ?? 0), 0);
    return { value: hits, text: `${count(hits)} of ${count(judged.reduce((sum, x) => sum + (x.truth?.total ?? 0), 0))}, ${money(cost)}` };
  }
  const findings = runs.reduce((sum, x) => sum + x.findings, 0);
  return { value: findings, text: `${count(findings)}, ${money(cost)}` };
}

/** All reviews of the bench, with links to their own pages. */
export function Reviews(p: { doc: BenchDoc; run: Run }) {
  const rows = useMemo(() => p.doc.rows.flatMap((r) => r.runs), [p.doc]);
  const source = useSource();
  const columns = useMemo<Column<BenchReview>[]>(() => {
    const link = (r: BenchReview) => reviewHref(p.run, r, source.single);
    return [
      {
        key: "config", title: "Configuration", value: (r) => r.config,
        render: (r) => (link(r) ? <a href={link(r)}>{r.config}</a> : r.config),
      },
      { key: "codebase", title: "Codebase", value: (r) => r.codebase, render: (r) => <span class="task">{r.codebase}</span> },
      { key: "repeat", title: "Repeat", value: (r) => r.repeat, from: 1400 },
      {
        key: "state", title: "State", value: (r) => r.state,
        render: (r) => (r.state === "done" ? r.state : <Badge tone="warn" {...(r.error ? { title: r.error } : {})}>{r.state}</Badge>),
      },
      { key: "why", title: "Ended by", value: (r) => r.error || r.stop_reason || "" },
      {
        key: "found", title: "Found", align: "right", value: (r) => r.truth?.found ?? null,
        render: (r) => (r.truth ? `${count(r.truth.found)} of ${count(r.truth.total)}` : ""),
      },
      {
        key: "false", title: "False", align: "right", value: (r) => r.truth?.false ?? null,
        render: (r) => (r.truth ? count(r.truth.false) : ""),
      },
      { key: "findings", title: "Findings", value: (r) => r.findings },
      { key: "ungrounded", title: "Ungrounded", value: (r) => r.ungrounded, from: 1400 },
      { key: "coverage", title: "Coverage", value: (r) => r.coverage, render: (r) => percent(r.coverage, 1) },
      { key: "turns", title: "Turns", value: (r) => r.turns },
      { key: "dispatches", title: "Dispatches", value: (r) => r.dispatches },
      { key: "failed", title: "Failed cells", value: (r) => r.cell_errors },
      { key: "cost", title: "Cost", align: "right", value: (r) => r.cost_usd, render: (r) => money(r.cost_usd) },
      { key: "time", title: "Time", value: (r) => r.duration_s, render: (r) => seconds(r.duration_s) },
    ];
  }, [p.run]);
  return (
    <section aria-label="Runs">
      <h2>Runs</h2>
      <Table name="Runs" rows={rows} columns={columns} />
    </section>
  );
}

/** A bench: several configurations on the same codebases, side by side. */
import { useMemo } from "preact/hooks";
import { ProblemBox, useDoc, type BenchDoc, type BenchRow } from "../../documents";
import { Bars, count, Empty, Fact, Loading, money, percent, Scatter, Table, when, type Column, type Point } from "../../kit";
import type { PageProps } from "../props";
import { Unknown } from "../unknown";
import { done } from "./reviews";
import { Codebases, Reviews } from "./runs";
import { Conduct, Economics, Tests, Truth } from "./tables";

/** The section "bench". */
export function BenchPage(p: PageProps) {
  const { doc, error } = useDoc<BenchDoc>("bench");
  if (p.rest.length > 0) return <Unknown what={p.rest.join("/")} />;
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  if (doc.rows.length === 0) return <Empty title="The bench has no configuration." />;
  return (
    <div class="measures stack">
      <Head doc={doc} />
      <Glance doc={doc} />
      <div class="two">
        <CostAgainstQuality doc={doc} />
        <CoverageAgainstFindings doc={doc} />
      </div>
      <Truth doc={doc} />
      <Tests doc={doc} />
      <Conduct doc={doc} />
      <Economics doc={doc} />
      <Codebases doc={doc} />
      <Reviews doc={doc} run={p.run} />
      <section>
        <h2>How the figures are made</h2>
        <ul class="rules">{doc.rules.map((r) => <li key={r}>{r}</li>)}</ul>
      </section>
    </div>
  );
}

function Head(p: { doc: BenchDoc }) {
  const { doc } = p;
  return (
    <section aria-label="Figures">
      {doc.notes.map((n) => (
        <p key={n} class="notice warn">{n}</p>
      ))}
      <dl class="facts">
        <Fact name="Configurations">{count(doc.rows.length)}</Fact>
        <Fact name="Codebases">{count(doc.codebases.length)}</Fact>
        <Fact name="Repeats">{count(doc.repeats)}</Fact>
        {doc.target ? <Fact name="Target">{doc.target}</Fact> : null}
        <Fact name="Spent, all runs">{money(doc.spent_usd)}</Fact>
        <Fact name="Begun">{when(doc.started_at) || "?"}</Fact>
        <Fact name="deeprepo">{doc.version || "?"}</Fact>
      </dl>
    </section>
  );
}

/** Whether the workers' figures do not exist for a configuration: a single call has none. */
function single(r: { strategy: string }): boolean {
  return r.strategy === "single";
}

/** A value of something that ran; "?" where nothing did. */
function known(r: BenchRow, v: number | null): string {
  return r.runs_done === 0 ? "?" : count(v);
}

/** The journal's table: what each configuration did. */
function Glance(p: { doc: BenchDoc }) {
  const columns = useMemo<Column<BenchRow>[]>(
    () => [
      {
        key: "config", title: "Configuration", value: (r) => r.config,
        render: (r) => <strong>{r.config}{r.config === p.doc.target ? " (target)" : ""}</strong>,
      },
      {
        key: "quality", title: "Analysis quality", align: "right", value: (r) => r.quality,
        render: (r) => (r.quality === null ? "?" : `${r.grade} (${r.quality.toFixed(2)})`),
      },
      {
        key: "cost", title: "Cost", align: "right", value: (r) => (r.runs_done === 0 ? null : r.cost_usd),
        render: (r) => (r.runs_done === 0 ? "?" : money(r.cost_usd)),
      },
      {
        key: "dispatches", title: "Dispatches", align: "right", value: (r) => (single(r) ? null : r.dispatches),
        render: (r) => (single(r) ? "n/a" : known(r, r.dispatches)),
      },
      {
        key: "files", title: "Files dispatched", align: "right", value: (r) => r.files_dispatched,
        render: (r) => known(r, r.files_dispatched) + (single(r) && r.runs_done > 0 ? " (direct)" : ""),
      },
      { key: "unique", title: "Unique deep bugs", align: "right", value: (r) => r.unique, render: (r) => count(r.unique) },
      { key: "findings", title: "Findings", align: "right", value: (r) => r.findings, render: (r) => known(r, r.findings) },
      { key: "coverage", title: "Coverage", align: "right", value: (r) => r.coverage, render: (r) => percent(r.coverage, 1) },
      { key: "turns", title: "Turns", align: "right", value: (r) => r.turns, render: (r) => known(r, r.turns) },
      {
        key: "errors", title: "Failed cells (repeated)", align: "right", value: (r) => (single(r) ? null : failed(r)[0]),
        render: (r) => (single(r) ? "n/a" : r.runs_done === 0 ? "?" : `${count(failed(r)[0])} (${count(failed(r)[1])})`),
      },
      {
        key: "done", title: "Runs done", align: "right", value: (r) => r.runs_done,
        render: (r) => `${count(r.runs_done)} of ${count(r.runs_total)}`,
      },
      { key: "root", title: "Root", value: (r) => r.root },
      { key: "worker", title: "Worker", value: (r) => (single(r) ? "n/a" : r.worker) },
      { key: "strategy", title: "Strategy", value: (r) => r.strategy },
    ],
    [p.doc],
  );
  const runs = Math.max(...p.doc.rows.map((r) => r.runs_total));
  return (
    <section aria-label="Results at a glance">
      <h2>Results at a glance</h2>
      <Table name="Results at a glance" rows={p.doc.rows} columns={columns} />
      {runs > 1 ? (
        <p class="muted">
          Counts and costs are sums over {count(runs)} runs a configuration. Unique: deep bugs that no other configuration found.
        </p>
      ) : null}
    </section>
  );
}

function failed(r: BenchRow): [number, number] {
  return done(r).reduce<[number, number]>((sum, x) => [sum[0] + x.cell_errors, sum[1] + x.repeated_errors], [0, 0]);
}

function CostAgainstQuality(p: { doc: BenchDoc }) {
  const points = useMemo(() => {
    const out: Point[] = [];
    for (const r of p.doc.rows) {
      if (r.quality !== null && r.cost_usd !== null && r.runs_done > 0)
        out.push({ name: r.config, x: r.cost_usd / r.runs_done, y: r.quality });
    }
    return out;
  }, [p.doc]);
  const without = p.doc.rows.filter((r) => r.quality !== null && r.cost_usd === null).map((r) => r.config);
  if (points.length > 0 && points.every((q) => q.x === 0)) {
    return (
      <div>
        <Bars
          name="quality" title="Quality" label="quality"
          rows={points.map((q) => ({ name: q.name, parts: [{ name: "quality", value: q.y }] }))}
        />
        <p class="muted">Every run cost $0.00: there is no cost to hold quality against.</p>
      </div>
    );
  }
  return (
    <div>
      <Scatter
        name="cost-quality" title="Cost of a run against quality" x={{ label: "USD a run", from0: true }}
        y={{ label: "quality", from0: true }} points={points}
      />
      {without.length > 0 ? <p class="muted">Not drawn, because their cost is unknown: {without.join(", ")}.</p> : null}
    </div>
  );
}

function CoverageAgainstFindings(p: { doc: BenchDoc }) {
  const truth = p.doc.codebases.every((b) => b.truth);
  const points = useMemo(() => {
    const out: Point[] = [];
    for (const r of p.doc.rows) {
      if (r.runs_done === 0 || r.coverage === null) continue;
      const recall = r.truth?.recall_ci95;
      if (truth && r.truth?.recall != null) {
        out.push({
          name: r.config, x: r.coverage, y: r.truth.recall,
          ...(recall && recall.lo !== null && recall.hi !== null ? { yci: [recall.lo, recall.hi] as const } : {}),
        });
      } else if (!truth && r.findings !== null) {
        out.push({ name: r.config, x: r.coverage, y: r.findings / r.runs_done });
      }
    }
    return out;
  }, [p.doc]);
  return (
    <Scatter
      name="coverage-findings"
      title={truth ? "Coverage against defects found, with 95% intervals" : "Coverage against findings"}
      x={{ label: "coverage", percent: true, from0: true }}
      y={truth ? { label: "defects found", percent: true, from0: true } : { label: "findings a run", from0: true }}
      points={points}
    />
  );
}

/** The reviews of the codebase that a run reviewed, over time. */
import { useMemo } from "preact/hooks";
import { useDoc, useRun, type History as HistoryDoc, type Reviewed } from "../../documents";
import { count, go, href, LineChart, money, plural, StatusBadge, Table, Visible, when, type Column, type Series } from "../../kit";

interface Row extends Reviewed {
  /** From 1, the oldest first. */
  number: number;
}

/** Whether a review stands for all of its codebase: what another one lacks is not fixed. */
function whole(r: Reviewed): boolean {
  return r.status === "completed" && r.known === undefined;
}

/** The lines of the chart; a gap is what is not known. */
export function historySeries(rows: readonly Row[]): Series[] {
  const line = (name: string, value: (r: Row) => number | null): Series => ({
    name, points: rows.map((r) => [r.number, value(r)] as const),
  });
  const all = [line("places", (r) => (whole(r) ? r.places : null)), line("new", (r) => r.new), line("fixed", (r) => r.fixed)];
  return rows.every(whole) ? all : [...all, line("places, where only part was read or listed", (r) => (whole(r) ? null : r.places))];
}

function against(r: Row, n: number | null) {
  if (n === null) return <span class="muted">–</span>;
  return <>{count(n)}{(r.notes ?? []).length > 0 ? <span title={(r.notes ?? []).join("; ")}>?</span> : null}</>;
}

const columns: readonly Column<Row>[] = [
  { key: "number", title: "Review", value: (r) => r.number },
  { key: "at", title: "At", value: (r) => r.at, render: (r) => <a class="nowrap" href={href("/run/" + r.link)}>{when(r.at)}</a> },
  {
    key: "commit", title: "Commit", value: (r) => r.commit, from: 700,
    render: (r) => <code><Visible text={r.commit.slice(0, 8)} /></code>,
  },
  { key: "status", title: "Status", value: (r) => r.status, render: (r) => <StatusBadge s={r.status} /> },
  { key: "findings", title: "Findings", value: (r) => r.findings, render: (r) => count(r.findings) },
  {
    key: "places", title: "Places", value: (r) => r.places, render: (r) => count(r.places),
    hint: "Of all findings; new and fixed count these",
  },
  { key: "new", title: "New", value: (r) => r.new, render: (r) => against(r, r.new) },
  { key: "fixed", title: "Fixed", value: (r) => r.fixed, render: (r) => against(r, r.fixed) },
  { key: "aside", title: "Set aside", value: (r) => r.suppressed, render: (r) => count(r.suppressed), from: 1000 },
  { key: "cost", title: "Cost", value: (r) => r.cost_usd, render: (r) => money(r.cost_usd), align: "right", from: 1000 },
];

/** Nothing where there is one review only. */
export function History() {
  const { doc } = useDoc<HistoryDoc>("history");
  const { id } = useRun();
  const rows = useMemo(() => (doc?.reviews ?? []).map((r, i): Row => ({ ...r, number: (doc?.omitted ?? 0) + i + 1 })), [doc]);
  const series = useMemo(() => historySeries(rows), [rows]);
  if (rows.length < 2) return null;
  const open = (number: number) => {
    const row = rows.find((r) => r.number === number);
    if (row !== undefined) go("/run/" + row.link);
  };
  return (
    <section aria-label="History">
      <h2>History</h2>
      <p class="muted">
        {plural(rows.length + (doc?.omitted ?? 0), "review")} of this codebase. New and fixed are told against the completed review
        before by the same models. A dash: there was none to compare with, or the review did not come to its end.
      </p>
      <LineChart
        name="history" title="Findings by review" x={{ label: "review" }} y={{ label: "places of findings", from0: true }} series={series}
        onPick={open} height={200}
      />
      <Table name="Reviews" rows={rows} columns={columns} keys={null} selected={(r) => r.link === id} onOpen={(r) => open(r.number)} />
    </section>
  );
}

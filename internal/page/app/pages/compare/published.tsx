/** A published table beside what its own files say, and what the samples score. */
import type { Published, PublishedRow } from "../../documents";
import { count, percent, Table, type Column } from "../../kit";
import { points, shares } from "./words";

/** The table and what it gets wrong. */
export function PublishedTable(p: { published: Published }) {
  const columns: Column<PublishedRow>[] = [
    { key: "number", title: "#", value: (r) => r.number },
    { key: "condition", title: "Condition", value: (r) => r.condition, render: (r) => <strong>{r.condition}</strong> },
    { key: "size", title: "Pairs", value: (r) => r.size, render: (r) => count(r.size) },
    {
      key: "printed", title: "Printed", align: "right", value: (r) => r.printed_passed,
      render: (r) => `${count(r.printed_passed)} (${r.printed_pass_at_1})`,
    },
    { key: "delta", title: "Against base, printed", value: (r) => `${r.printed_delta} ${r.printed_relative}` },
    {
      key: "counts", title: "Against base, from counts", value: (r) => r.delta_pp, align: "left",
      render: (r) =>
        r.recorded_passed === null
          ? "no file here"
          : r.delta_pp === null
            ? "base"
            : `${points(r.delta_pp, 2)} pp${r.relative_pct === null ? "" : ` (${points(r.relative_pct)}%)`}`,
    },
    {
      key: "really", title: "With the tests run", align: "right", value: (r) => r.rescored_passed,
      render: (r) =>
        r.recorded_passed === null
          ? ""
          : r.rescored_passed === null
            ? "?"
            : `${count(r.rescored_passed)} (${percent(r.rescored_passed / Math.max(1, r.rescored_total ?? 0), 1)})`,
    },
    { key: "ci", title: "95% interval, %", value: (r) => (r.rescored_ci95 === null ? "" : shares(r.rescored_ci95)) },
    {
      key: "bound", title: "At most", align: "right", value: (r) => r.upper_bound,
      render: (r) => (r.upper_bound === null ? "" : count(r.upper_bound)),
    },
    {
      key: "empty", title: "Empty", align: "right", value: (r) => (r.recorded_passed === null ? null : r.empty),
      render: (r) => (r.recorded_passed === null ? "" : count(r.empty)),
    },
    {
      key: "cut", title: "Cut", align: "right", value: (r) => (r.recorded_passed === null ? null : r.truncated),
      render: (r) => (r.recorded_passed === null ? "" : count(r.truncated)),
    },
  ];
  return (
    <section aria-label="The published table">
      <h2>The published table, and what it really says</h2>
      <Table name="Published" rows={p.published.rows} columns={columns} />
      {p.published.conclusion ? <p class="verdict">{p.published.conclusion}</p> : null}
      {p.published.errors.length > 0 ? (
        <details>
          <summary>What it gets wrong about its own files ({count(p.published.errors.length)})</summary>
          <ul class="rules">{p.published.errors.map((e) => <li key={e}>{e}</li>)}</ul>
        </details>
      ) : null}
    </section>
  );
}

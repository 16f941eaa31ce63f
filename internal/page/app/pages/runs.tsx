/** The list of runs. */
import { href, money, seconds, StatusBadge, Table, when, type Column } from "../kit";
import type { Row, Rows } from "../documents";
import { go } from "../router";

const columns: Column<Row>[] = [
  { key: "name", title: "Run", value: (r) => r.name, render: (r) => <a href={href("/run/" + r.id)}>{r.name}</a> },
  { key: "kind", title: "Kind", value: (r) => r.kind },
  { key: "status", title: "Status", value: (r) => r.status, render: (r) => <StatusBadge s={r.status} /> },
  { key: "headline", title: "Result", value: (r) => r.headline, sort: false },
  { key: "cost", title: "Cost", value: (r) => r.cost_usd, render: (r) => money(r.cost_usd), align: "right" },
  { key: "duration", title: "Took", value: (r) => r.duration_s, render: (r) => seconds(r.duration_s), align: "right" },
  { key: "started", title: "Started", value: (r) => r.started_at, render: (r) => when(r.started_at) },
];

/** All runs below the directories that were given. */
export function Runs(p: { rows: Rows }) {
  return <Table name="Runs" rows={p.rows.runs} columns={columns} onOpen={(r) => go("/run/" + r.id)} />;
}

/** The list of runs: filters, runs inside of runs below the one that holds them. */
import { useMemo } from "preact/hooks";
import type { Row } from "../documents";
import { Badge, Empty, go, href, money, plural, seconds, setQuery, StatusBadge, Table, useRoute, Visible, when, type Column } from "../kit";
import { arrangeRuns, passes, type Placed } from "./runs-order";

/** What kinds of runs are called. */
export const kindTitles: { readonly [kind: string]: string } = {
  review: "review", eval: "eval", bench: "bench", codeeval: "code eval", compare: "comparison", pairs: "pairs", training: "training",
  unknown: "unknown",
};

const columns: readonly Column<Placed>[] = [
  {
    key: "name", title: "Run", value: (r) => r.row.name,
    render: (r) => (
      <span
        class={"run-name" + (r.depth > 0 ? " run-nested" : "")}
        style={{ "--depth": String(Math.max(0, r.depth - 1)) } as Record<string, string>}
      >
        <a href={href("/run/" + r.row.id)} title={r.row.path}><Visible text={r.name} /></a>
        {r.inside > 0 ? <Inside placed={r} /> : null}
      </span>
    ),
  },
  { key: "kind", title: "Kind", value: (r) => kindTitles[r.row.kind] ?? r.row.kind, width: "7.5rem", from: 700 },
  { key: "status", title: "Status", value: (r) => r.row.status, render: (r) => <StatusBadge s={r.row.status} />, width: "7rem" },
  {
    key: "headline", title: "Result", value: (r) => r.row.problem ?? r.row.headline, sort: false,
    render: (r) => (r.row.problem ? <span class="run-problem"><Visible text={r.row.problem} /></span> : <Visible text={r.row.headline} />),
  },
  {
    key: "models", title: "Models", value: (r) => r.row.models.join(", "),
    render: (r) => <span class="mono"><Visible text={r.row.models.join(", ")} /></span>, from: 1400,
  },
  {
    key: "cost", title: "Cost", value: (r) => r.row.cost_usd, render: (r) => money(r.row.cost_usd), align: "right", from: 700,
    width: "6rem",
  },
  {
    key: "duration", title: "Took", value: (r) => r.row.duration_s, render: (r) => seconds(r.row.duration_s), align: "right", from: 1000,
    width: "7.5rem",
  },
  {
    key: "started", title: "Started", value: (r) => r.row.started_at, render: (r) => <span class="nowrap">{when(r.row.started_at)}</span>,
    from: 700, width: "10rem",
  },
];

/** So few runs inside another need no filters. */
const few = 8;

/** A list of runs; the filters live in the query of the route. */
export function Runs(p: { rows: readonly Row[]; truncated?: boolean; title: string }) {
  const { query } = useRoute();
  const flat = Object.keys(query).some((k) => k.startsWith("sort."));
  const opened = query["open"] ?? "";
  const kinds = [...new Set(p.rows.map((r) => r.kind))].sort();
  const statuses = [...new Set(p.rows.map((r) => r.status))].sort();
  const [text, kind, status] = [query["q"] ?? "", query["kind"] ?? "", query["status"] ?? ""];
  const filtering = text + kind + status !== "";
  const placed = useMemo(
    () => arrangeRuns(p.rows, flat ? "flat" : filtering ? "all" : new Set(opened.split(","))),
    [p.rows, flat, filtering, opened],
  );
  const filter = useMemo(() => (!filtering ? undefined : (r: Placed) => passes(r.row, text, kind, status)), [text, kind, status]);
  if (p.rows.length === 0) return <NoRuns />;
  const live = p.rows.filter((r) => r.status === "running").length;
  return (
    <>
      {p.title === "Runs" ? <h1 class="off-screen">Runs</h1> : <h2>{p.title}</h2>}
      <Table
        name={p.title}
        rows={placed}
        columns={columns}
        onOpen={(r) => go("/run/" + r.row.id)}
        {...(filter === undefined ? {} : { filter })}
        empty={
          <Empty title="No run passes the filters.">
            <button type="button" class="button" onClick={() => setQuery({ q: "", kind: "", status: "" })}>
              Show all
            </button>
          </Empty>
        }
        tools={p.rows.length < few && !filtering ? undefined :
          <div class="filters" role="search" aria-label="Filter the runs">
            <input
              type="search" aria-label="Name, path, model or result" placeholder="Filter runs  /" value={text}
              onInput={(e) => setQuery({ q: e.currentTarget.value })}
            />
            <Choice
              label="Kind" all="all kinds" value={kind} options={kinds.map((k) => [k, kindTitles[k] ?? k])}
              onChoose={(v) => setQuery({ kind: v })}
            />
            <Choice
              label="Status" all="any status" value={status} options={statuses.map((s) => [s, s])} onChoose={(v) => setQuery({ status: v })}
            />
            {live > 0 ? <Badge tone="live">{live} running</Badge> : null}
          </div>
        }
      />
      {p.truncated ? (
        <p class="muted">There are more runs below these directories than are shown. Name a deeper directory to see them.</p>
      ) : null}
    </>
  );
}

/** Opens and closes what lies inside a run. */
function Inside(p: { placed: Placed }) {
  const { query } = useRoute();
  const { row, inside } = p.placed;
  const all = (query["open"] ?? "").split(",").filter((id) => id !== "");
  const open = all.includes(row.id);
  const toggle = () => setQuery({ open: (open ? all.filter((id) => id !== row.id) : [...all, row.id]).join(",") });
  return (
    <button
      type="button" class="run-inside" aria-expanded={open} onClick={toggle} aria-label={`${plural(inside, "run")} inside ${row.name}`}
    >
      {open ? "▾" : "▸"} {plural(inside, "run")}
    </button>
  );
}

function Choice(p: {
  label: string; all: string; value: string; options: (readonly [string, string])[]; onChoose: (value: string) => void;
}) {
  if (p.options.length < 2 && p.value === "") return null;
  return (
    <select aria-label={p.label} value={p.value} onChange={(e) => p.onChoose(e.currentTarget.value)}>
      <option value="">{p.all}</option>
      {p.options.map(([value, title]) => <option key={value} value={value}>{title}</option>)}
    </select>
  );
}

/** What makes runs, for those who have none yet. */
function NoRuns() {
  return (
    <div class="teach">
      <h1>No runs here yet</h1>
      <p class="muted">
        Every command with an output directory leaves a run in it. This page shows the runs below the directories it was started with,
        and those that appear while it is open.
      </p>
      <h2>Review a repository</h2>
      <pre>deeprepo analyze PATH --out runs/review</pre>
      <p class="muted">Without a model key it works offline, with static rules.</p>
      <h2>Measure a model at reviewing</h2>
      <pre>deeprepo eval orchestration -m MODEL --out runs/eval</pre>
      <h2>Measure a model at programming</h2>
      <pre>deeprepo code eval humaneval -m MODEL --out runs/code</pre>
      <h2>Look at runs that lie elsewhere</h2>
      <pre>deeprepo ui DIRECTORY</pre>
    </div>
  );
}

/** The table of rollouts, with its filters. Rows are indexes of the document's columns, so that many of them are cheap. */
import { useMemo } from "preact/hooks";
import type { EvalDoc, EvalRows } from "../../documents";
import { count, go, money, seconds, setQuery, Table, useRoute, type Column, type Query } from "../../kit";
import { heat } from "./grid";
import { commonPrefix } from "./names";

const bands: readonly { key: string; title: string; keep: (reward: number | null) => boolean }[] = [
  { key: "none", title: "0", keep: (r) => r !== null && r <= 0 },
  { key: "low", title: "below 0.5", keep: (r) => r !== null && r < 0.5 },
  { key: "high", title: "0.5 and more", keep: (r) => r !== null && r >= 0.5 },
  { key: "full", title: "1", keep: (r) => r !== null && r >= 0.9995 },
];

/** Whether a rollout passes the filters in the query of the route. */
export function keeps(doc: EvalDoc, query: Query): ((n: number) => boolean) | undefined {
  const { rows } = doc;
  const tasks = doc.summary.tasks ?? [];
  const band = bands.find((b) => b.key === query["reward"]);
  const stop = query["stop"] === undefined ? -1 : rows.stops.indexOf(query["stop"] === "-" ? "" : query["stop"]);
  const error = query["error"];
  const failure = error === undefined || error === "any" || error === "none" ? -1 : rows.failures.indexOf(error);
  const words = (query["q"] ?? "").toLowerCase();
  const text = (n: number) =>
    [tasks[rows.task[n] ?? -1]?.task, rows.stops[rows.stop[n] ?? -1], rows.failures[rows.failure[n] ?? -1]].join(" ").toLowerCase();
  if (band === undefined && stop < 0 && error === undefined && words === "") return undefined;
  return (n) =>
    (band === undefined || band.keep(rows.reward[n] ?? null)) &&
    (stop < 0 || rows.stop[n] === stop) &&
    (error === undefined ||
      (error === "none" ? rows.failure[n] === -1 : error === "any" ? rows.failure[n] !== -1 : rows.failure[n] === failure)) &&
    (words === "" || text(n).includes(words));
}

/** The rollouts; Enter, or a click, opens one. */
export function Rollouts(p: { doc: EvalDoc; open: (n: number) => string }) {
  const { query } = useRoute();
  const { rows } = p.doc;
  const indexes = useMemo(() => Array.from({ length: rows.total }, (_, n) => n), [rows.total]);
  const columns = useMemo(() => columnsOf(p.doc), [p.doc]);
  const key = ["reward", "stop", "error", "q"].map((k) => query[k] ?? "").join("\n");
  const filter = useMemo(() => keeps(p.doc, query), [p.doc, key]);
  return (
    <section aria-label="Rollouts">
      <div class="section-head">
        <h2>Rollouts</h2>
        <label class="inline">
          Reward{" "}
          <select value={query["reward"] ?? ""} onChange={(e) => setQuery({ reward: e.currentTarget.value })}>
            <option value="">any</option>
            {bands.map((b) => (
              <option key={b.key} value={b.key}>{b.title}</option>
            ))}
          </select>
        </label>
        <label class="inline">
          Ended by{" "}
          <select value={query["stop"] ?? ""} onChange={(e) => setQuery({ stop: e.currentTarget.value })}>
            <option value="">any</option>
            {rows.stops.map((s) => (
              <option key={s} value={s || "-"}>{s || "not said"}</option>
            ))}
          </select>
        </label>
        <label class="inline">
          Error{" "}
          <select value={query["error"] ?? ""} onChange={(e) => setQuery({ error: e.currentTarget.value })}>
            <option value="">with and without</option>
            <option value="none">without</option>
            {rows.failures.length > 0 ? <option value="any">with</option> : null}
            {rows.failures.map((f) => (
              <option key={f} value={f}>{f}</option>
            ))}
          </select>
        </label>
        <label class="inline grow">
          <span class="off-screen">Filter by text</span>
          <input
            type="search" class="search" placeholder="Filter by task, ending, error" value={query["q"] ?? ""}
            onInput={(e) => setQuery({ q: e.currentTarget.value })}
          />
        </label>
      </div>
      <Table name="Rollouts" rows={indexes} columns={columns} onOpen={(n) => go(p.open(n))} {...(filter ? { filter } : {})} />
    </section>
  );
}

function columnsOf(doc: EvalDoc): Column<number>[] {
  const { rows } = doc;
  const tasks = doc.summary.tasks ?? [];
  const prefix = commonPrefix(tasks.map((t) => t.task));
  const name = (n: number) => tasks[rows.task[n] ?? -1]?.task || "example " + (rows.example[n] ?? 0);
  const metric = (name: string) => rows.values[rows.metrics.indexOf(name)];
  const optional = (name: string, title: string, digits: number): Column<number>[] => {
    const column = metric(name);
    if (column === undefined) return [];
    return [{ key: name, title, align: "right", value: (n) => column[n] ?? null, render: (n) => number(column[n] ?? null, digits) }];
  };
  return [
    { key: "n", title: "#", value: (n) => n, width: "4rem" },
    { key: "task", title: "Task", value: name, render: (n) => <span class="task" title={name(n)}>{name(n).slice(prefix.length)}</span> },
    { key: "rollout", title: "Rollout", value: (n) => (rows.rollout[n] ?? 0) + 1, align: "right" },
    { key: "reward", title: "Reward", align: "right", value: (n) => rows.reward[n] ?? null, render: (n) => <Reward rows={rows} n={n} /> },
    ...optional("coverage", "Coverage", 2),
    ...optional("recall", "Recall", 2),
    ...optional("precision", "Precision", 2),
    ...optional("num_turns", "Turns", 0),
    ...optional("dispatches", "Dispatches", 0),
    ...optional("cell_errors", "Failed cells", 0),
    {
      key: "input", title: "Tokens in", align: "right", value: (n) => rows.input_tokens[n] ?? null,
      render: (n) => count(rows.input_tokens[n]), from: 1400,
    },
    {
      key: "output", title: "Tokens out", align: "right", value: (n) => rows.output_tokens[n] ?? null,
      render: (n) => count(rows.output_tokens[n]),
    },
    {
      key: "cost", title: "Cost", align: "right", value: (n) => rows.cost_usd[n] ?? null, render: (n) => money(rows.cost_usd[n]),
      from: 1400,
    },
    { key: "seconds", title: "Time", align: "right", value: (n) => rows.seconds[n] ?? null, render: (n) => seconds(rows.seconds[n]) },
    { key: "stop", title: "Ended by", value: (n) => rows.stops[rows.stop[n] ?? -1] ?? "" },
    ...(rows.failures.length > 0
      ? [{ key: "failure", title: "Error", value: (n: number) => rows.failures[rows.failure[n] ?? -1] ?? "" }]
      : []),
  ];
}

function Reward(p: { rows: EvalRows; n: number }) {
  const reward = p.rows.reward[p.n] ?? null;
  return (
    <span class="reward">
      <svg width={10} height={10} aria-hidden="true">
        <rect class={heat(reward)} width={10} height={10} rx={2} />
      </svg>{" "}
      {reward === null ? "error" : reward.toFixed(3)}
    </span>
  );
}

function number(v: number | null, digits: number): string {
  return v === null ? "?" : v.toFixed(digits);
}

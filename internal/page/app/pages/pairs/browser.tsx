/** The pairs in a table, filtered by task, source, verdict and text. Rows are places in the columns. */
import { useMemo } from "preact/hooks";
import type { PairRows, PairSet } from "../../documents";
import { count, decimal, Empty, go, percent, setQuery, Table, useRoute, type Column, type Query } from "../../kit";
import { VerdictBadge } from "../codeeval/verdict";

/** Whether a pair is kept by the filters of the query. */
export function keeps(rows: PairRows, query: Query): ((i: number) => boolean) | undefined {
  const at = (names: readonly string[], name: string | undefined) =>
    name === undefined || name === "" ? -1 : names.indexOf(name === "-" ? "" : name);
  const source = at(rows.sources, query["source"]);
  const verdict = at(rows.verdicts, query["verdict"]);
  const file = at(rows.files, query["file"]);
  const words = (query["q"] ?? "").toLowerCase();
  if (source < 0 && verdict < 0 && file < 0 && words === "") return undefined;
  return (i) =>
    (source < 0 || rows.source[i] === source) &&
    (verdict < 0 || rows.verdict[i] === verdict) &&
    (file < 0 || rows.file[i] === file) &&
    (words === "" ||
      `${rows.tasks[rows.task[i] ?? -1]} ${rows.errors[rows.error[i] ?? -1]} ${rows.sources[rows.source[i] ?? -1]}`
        .toLowerCase()
        .includes(words));
}

/** The browser; Enter, or a click, opens a pair. */
export function Browser(p: { doc: PairSet }) {
  const { rows, form } = p.doc;
  const { query } = useRoute();
  const indexes = useMemo(() => rows.file.map((_, i) => i), [rows]);
  const columns = useMemo(() => columnsOf(rows, form), [rows, form]);
  const files = useMemo(() => [...new Set(rows.file)].map((f) => rows.files[f] ?? ""), [rows]);
  const key = ["source", "verdict", "file", "q"].map((k) => query[k] ?? "").join("\n");
  const filter = useMemo(() => keeps(rows, query), [rows, key]);
  if (indexes.length === 0) return <Empty title="There is no pair." />;
  const choose = (name: string, title: string, values: readonly string[]) =>
    values.length < 2 ? null : (
      <label class="inline">
        {title}{" "}
        <select value={query[name] ?? ""} onChange={(e) => setQuery({ [name]: e.currentTarget.value })}>
          <option value="">any</option>
          {values.map((v) => <option key={v} value={v || "-"}>{v || "not said"}</option>)}
        </select>
      </label>
    );
  return (
    <section aria-label="Pairs">
      <div class="section-head">
        {choose("file", "File", files)}
        {choose("source", "Rejected side from", rows.sources)}
        {choose("verdict", "Its verdict", rows.verdicts)}
        <label class="inline grow">
          <span class="off-screen">Filter by text</span>
          <input
            type="search" class="search" placeholder="Filter by task, error, source" value={query["q"] ?? ""}
            onInput={(e) => setQuery({ q: e.currentTarget.value })}
          />
        </label>
      </div>
      <Table name="Pairs" rows={indexes} columns={columns} onOpen={(i) => go("pairs/" + i, kept(query))} {...(filter ? { filter } : {})} />
    </section>
  );
}

/** The filters of a query, to be carried to a pair's page and back. */
export function kept(query: Query): { [name: string]: string | undefined } {
  return { source: query["source"], verdict: query["verdict"], file: query["file"], q: query["q"] };
}

function columnsOf(rows: PairRows, form: string): Column<number>[] {
  const of = (names: readonly string[], at: number | undefined) => names[at ?? -1] ?? "";
  const columns: Column<number>[] = [
    { key: "n", title: "#", value: (i) => i },
    { key: "task", title: "Task", value: (i) => of(rows.tasks, rows.task[i]) },
    { key: "file", title: "File", from: 1000, value: (i) => of(rows.files, rows.file[i]) },
  ];
  if (form === "code") {
    columns.push(
      { key: "source", title: "Rejected side from", from: 700, value: (i) => of(rows.sources, rows.source[i]) },
      {
        key: "verdict", title: "Its verdict", value: (i) => of(rows.verdicts, rows.verdict[i]),
        render: (i) => (of(rows.verdicts, rows.verdict[i]) ? <VerdictBadge verdict={of(rows.verdicts, rows.verdict[i])} /> : "?"),
      },
      { key: "error", title: "Its error", value: (i) => of(rows.errors, rows.error[i]) },
      {
        key: "score", title: "Its score", align: "right", value: (i) => rows.rejected_score[i] ?? null,
        render: (i) => decimal(rows.rejected_score[i], 2),
      },
      {
        key: "similarity", title: "Similarity", align: "right", value: (i) => rows.similarity[i] ?? null,
        render: (i) => decimal(rows.similarity[i], 2),
      },
      {
        key: "rate", title: "Task's pass rate", align: "right", value: (i) => rows.pass_rate[i] ?? null,
        render: (i) => percent(rows.pass_rate[i]),
      },
    );
  } else {
    columns.push(
      {
        key: "chosen", title: "Chosen earned", align: "right", value: (i) => rows.chosen_score[i] ?? null,
        render: (i) => decimal(rows.chosen_score[i], 3),
      },
      {
        key: "rejected", title: "Rejected earned", align: "right", value: (i) => rows.rejected_score[i] ?? null,
        render: (i) => decimal(rows.rejected_score[i], 3),
      },
      { key: "policy", title: "Policy", value: (i) => of(rows.sources, rows.source[i]) },
    );
  }
  columns.push({
    key: "chars", title: "Characters", align: "right", value: (i) => (rows.chosen_chars[i] ?? 0) - (rows.rejected_chars[i] ?? 0),
    render: (i) => `${count(rows.chosen_chars[i])} / ${count(rows.rejected_chars[i])}`,
  });
  return columns;
}

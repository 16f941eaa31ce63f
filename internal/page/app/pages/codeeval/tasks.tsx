/** The table of tasks, filtered by verdict and text. Rows are places in the columns, so that many of them are cheap. */
import { useMemo } from "preact/hooks";
import type { CodeTasks } from "../../documents";
import { count, Empty, go, seconds, setQuery, Table, useRoute, type Column } from "../../kit";
import { inWords, verdicts, VerdictStrip } from "./verdict";

/** Whether a task is kept by the filters of the query. */
export function keeps(tasks: CodeTasks, verdict: string, words: string): ((i: number) => boolean) | undefined {
  const letter = verdicts.find((v) => v.key === verdict && verdict !== "")?.letter;
  const wanted = words.toLowerCase();
  if (letter === undefined && wanted === "") return undefined;
  return (i) =>
    (letter === undefined || (tasks.verdicts[i] ?? "").includes(letter)) &&
    (wanted === "" || `${tasks.id[i]} ${tasks.entry[i]} ${tasks.error[i]}`.toLowerCase().includes(wanted));
}

/** All tasks; Enter, or a click, opens one. */
export function Tasks(p: { tasks: CodeTasks }) {
  const { tasks } = p;
  const { query } = useRoute();
  const verdict = query["verdict"] ?? "";
  const words = query["q"] ?? "";
  const rows = useMemo(() => tasks.id.map((_, i) => i), [tasks]);
  const columns = useMemo(() => columnsOf(tasks), [tasks]);
  const filter = useMemo(() => keeps(tasks, verdict, words), [tasks, verdict, words]);
  if (rows.length === 0) return <Empty title="No tasks yet." />;
  return (
    <section aria-label="Tasks">
      <div class="section-head">
        <label class="inline">
          Verdict{" "}
          <select value={verdict} onChange={(e) => setQuery({ verdict: e.currentTarget.value })}>
            <option value="">any</option>
            {verdicts.filter((v) => v.key !== "" && v.key !== "?").map((v) => (
              <option key={v.key} value={v.key}>{v.name}</option>
            ))}
          </select>
        </label>
        <label class="inline grow">
          <span class="off-screen">Filter by text</span>
          <input
            type="search" class="search" placeholder="Filter by task, function, error" value={words}
            onInput={(e) => setQuery({ q: e.currentTarget.value })}
          />
        </label>
      </div>
      <Table
        name="Tasks" rows={rows} columns={columns} onOpen={(i) => go("codeeval/task/" + (tasks.id[i] ?? ""))}
        {...(filter ? { filter } : {})}
      />
    </section>
  );
}

function columnsOf(tasks: CodeTasks): Column<number>[] {
  const samples = (i: number) => (tasks.verdicts[i] ?? "").replaceAll("-", "").length;
  const many = tasks.verdicts.some((v) => v.length > 1);
  const columns: Column<number>[] = [
    { key: "id", title: "Task", value: (i) => tasks.id[i] ?? "" },
    {
      key: "verdicts", title: many ? "Samples" : "Verdict", value: (i) => inWords(tasks.verdicts[i] ?? ""),
      render: (i) => <VerdictStrip letters={tasks.verdicts[i] ?? ""} />,
    },
    { key: "error", title: many ? "First error" : "Error", value: (i) => tasks.error[i] ?? "" },
    { key: "seconds", title: "Run time", align: "right", value: (i) => tasks.seconds[i] ?? null, render: (i) => seconds(tasks.seconds[i]) },
    {
      key: "tokens", title: "Tokens written", align: "right", value: (i) => tasks.tokens[i] ?? null, render: (i) => count(tasks.tokens[i]),
    },
  ];
  if (tasks.entry.some((e) => e !== ""))
    columns.splice(1, 0, {
      key: "entry", title: "Function", from: 700, value: (i) => tasks.entry[i] ?? "", render: (i) => <code>{tasks.entry[i]}</code>,
    });
  if (many)
    columns.splice(columns.length - 3, 0, {
      key: "passed", title: "Passed", align: "right", value: (i) => (samples(i) === 0 ? null : (tasks.passed[i] ?? 0) / samples(i)),
      render: (i) => `${tasks.passed[i] ?? 0} of ${samples(i)}`,
    });
  return columns;
}

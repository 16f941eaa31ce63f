/** Code evals and verifications: which generated programs pass their tests, and what that number is worth. */
import { ProblemBox, useDoc, type CodeRun } from "../../documents";
import { count, Empty, Fact, Loading, money, percent, plural, seconds, setQuery, Table, Tabs, useRoute } from "../../kit";
import { ControlsLine } from "./controls";
import { TaskPage } from "./task";
import { Tasks } from "./tasks";
import { verdicts } from "./verdict";
import type { PageProps } from "../props";
import { Unknown } from "../unknown";

/** The section "codeeval". */
export function CodeEvalPage(p: PageProps) {
  if (p.rest[0] === "task" && p.rest.length > 1) return <TaskPage id={p.rest.slice(1).join("/")} />;
  if (p.rest.length > 0) return <Unknown what={p.rest.join("/")} />;
  return <Overview />;
}

function Overview() {
  const { doc, error } = useDoc<CodeRun>("codeeval");
  const tab = useRoute().query["tab"] ?? "tasks";
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  return (
    <div class="measures coding stack">
      <section aria-label="Result">
        {doc.problem ? <p class="notice warn">{doc.problem}</p> : null}
        <ControlsLine
          controls={doc.controls} none="They are recorded when the run ends; nothing is judged before they pass."
        />
        <Score doc={doc} />
        <VerdictBar doc={doc} />
        {[...doc.diagnosis, ...doc.caveats].length > 0 ? (
          <ul class="remarks" aria-label="What to know about these numbers">
            {doc.diagnosis.map((d) => <li key={d} class="remark-bad">{d}</li>)}
            {doc.caveats.map((c) => <li key={c}>{c}</li>)}
            {doc.missing.length > 0 ? (
              <li>
                <details>
                  <summary>{plural(doc.missing.length, "task")} without a sample</summary>
                  <p class="wrap">{doc.missing.join(", ")}</p>
                </details>
              </li>
            ) : null}
          </ul>
        ) : null}
      </section>
      <Tabs
        name="Parts of the run"
        tabs={[
          { key: "tasks", title: "Tasks" },
          { key: "errors", title: "Errors" },
          { key: "made", title: "How it was made" },
        ]}
        selected={tab}
        onSelect={(key) => setQuery({ tab: key === "tasks" ? "" : key })}
      />
      {tab === "errors" ? <Errors doc={doc} /> : tab === "made" ? <Made doc={doc} /> : <Tasks tasks={doc.tasks} />}
    </div>
  );
}

function Score(p: { doc: CodeRun }) {
  const { doc } = p;
  const first = doc.pass_at_k[0];
  return (
    <div class="score">
      {first === undefined ? (
        <p class="score-withheld">
          No score: {doc.withheld || "none was written"}.
        </p>
      ) : (
        <p class="score-main">
          <span class="score-name">pass@{first.k}</span> <strong>{percent(first.value, 1)}</strong>{" "}
          {doc.ci95 ? (
            <span class="interval">
              95% interval {percent(doc.ci95[0], 1)} to {percent(doc.ci95[1], 1)} ({doc.ci_method})
            </span>
          ) : (
            <span class="interval">no interval{doc.ci_method ? `: ${doc.ci_method}` : ""}</span>
          )}
        </p>
      )}
      <dl class="facts">
        {doc.pass_at_k.slice(1).map((k) => (
          <Fact key={k.k} name={`pass@${k.k}`}>{percent(k.value, 1)}</Fact>
        ))}
        <Fact name="Passed">
          {count(doc.passed)} of {plural(doc.total, "judged sample")}
        </Fact>
        <Fact name="Dataset">{doc.dataset + (doc.split ? `, ${doc.split}` : "") || "?"}</Fact>
        <Fact name={doc.command === "code verify" ? "Samples from" : "Model"}>{doc.source || "?"}</Fact>
        <Fact name="Tasks">{count(doc.tasks_total)}</Fact>
        {doc.generation ? <Fact name="Cost">{money(doc.generation.cost_usd)}</Fact> : null}
      </dl>
    </div>
  );
}

/** How many samples got which verdict; a click keeps the tasks that have one such sample. */
function VerdictBar(p: { doc: CodeRun }) {
  const chosen = useRoute().query["verdict"] ?? "";
  const counts = p.doc.verdicts.filter((v) => v.count > 0);
  if (counts.length === 0) return <Empty title="No sample has been judged yet." />;
  return (
    <div class="verdict-bar" role="group" aria-label="Samples by verdict">
      {counts.map((c) => {
        const v = verdicts.find((one) => one.key === c.name);
        return (
          <button
            key={c.name}
            type="button"
            class={"verdict-part tone-" + (v?.tone ?? "warn")}
            style={{ flexGrow: c.count }}
            aria-pressed={chosen === c.name}
            onClick={() => setQuery({ verdict: chosen === c.name ? "" : c.name, tab: "" })}
          >
            <span class="verdict-count">{count(c.count)}</span> {v?.name ?? c.name.replaceAll("_", " ")}
          </button>
        );
      })}
    </div>
  );
}

function Errors(p: { doc: CodeRun }) {
  if (p.doc.error_classes.length === 0) return <Empty title="No exceptions." />;
  return (
    <Table
      name="Errors"
      rows={p.doc.error_classes}
      columns={[
        { key: "name", title: "Exception", value: (e) => e.name },
        { key: "count", title: "Samples", value: (e) => e.count, render: (e) => count(e.count) },
        { key: "tasks", title: "Tasks", value: (e) => e.tasks, render: (e) => count(e.tasks) },
        { key: "same", title: "With the same text", value: (e) => e.same, render: (e) => count(e.same ?? 0) },
        { key: "message", title: "Most frequent text", value: (e) => e.message },
      ]}
      onOpen={(e) => setQuery({ q: e.name, tab: "", verdict: "" })}
    />
  );
}

function Made(p: { doc: CodeRun }) {
  const { doc } = p;
  const g = doc.generation;
  return (
    <div class="stack">
      {g ? (
        <section aria-label="Generation">
          <h2>Generation</h2>
          <dl class="facts">
            <Fact name="Samples made">
              {count(g.made)} of {count(g.wanted)}
            </Fact>
            <Fact name="Cut off by the limit">{count(g.truncated)}</Fact>
            <Fact name="Empty">{count(g.empty)}</Fact>
            {g.lost > 0 ? <Fact name="Lost">{count(g.lost)}</Fact> : null}
            <Fact name="Tokens in, out">
              {count(g.input_tokens)}, {count(g.output_tokens)}
            </Fact>
            <Fact name="Cost">{money(g.cost_usd)}</Fact>
            <Fact name="Model time, summed">{seconds(g.model_seconds)}</Fact>
          </dl>
        </section>
      ) : null}
      {doc.extraction.length + doc.signs.length > 0 ? (
        <section aria-label="Extraction">
          <h2>How programs were found in replies</h2>
          <dl class="facts">
            {doc.extraction.map((n) => <Fact key={n.name} name={n.name}>{count(n.count)}</Fact>)}
            {doc.signs.map((n) => <Fact key={"sign " + n.name} name={"sign: " + n.name}>{count(n.count)}</Fact>)}
          </dl>
        </section>
      ) : null}
      <section aria-label="Settings">
        <h2>Settings</h2>
        <dl class="facts">{doc.settings.map((s) => <Fact key={s.name} name={s.name}>{s.value}</Fact>)}</dl>
      </section>
    </div>
  );
}

/** A task: what was asked, and each sample's program with what running the tests said of it. */
import { ProblemBox, useDoc, type CodeSample, type CodeTask, type SampleMade } from "../../documents";
import {
  Badge, Code, Copy, count, decimal, Diff, Empty, Fact, go, href, Loading, money, plural, Raw, seconds, setQuery, Tabs, useKeys, useRoute,
} from "../../kit";
import { VerdictBadge, verdicts, VerdictStrip } from "./verdict";

/** The page of one task. */
export function TaskPage(p: { id: string }) {
  const { doc, error } = useDoc<CodeTask>("codeeval/task/" + p.id);
  const { query } = useRoute();
  const at = Math.max(0, doc?.samples.findIndex((s) => String(s.sample) === query["sample"]) ?? 0);
  const select = (i: number) => {
    const s = doc?.samples[i];
    if (s !== undefined) setQuery({ sample: s.sample });
  };
  useKeys(
    {
      j: doc?.next === undefined ? undefined : () => go("codeeval/task/" + doc.next),
      k: doc?.previous === undefined ? undefined : () => go("codeeval/task/" + doc.previous),
      l: () => select(at + 1),
      h: () => select(at - 1),
    },
    "Task: j next, k previous; l next sample, h previous",
  );
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  const sample = doc.samples[at];
  const letters = lettersOf(doc);
  return (
    <div class="measures coding stack">
      <header class="page-head">
        <a href={href("codeeval")}>All tasks</a>
        <h1>{doc.id}</h1>
        {doc.entry ? <code>{doc.entry}</code> : null}
        <Beside name="task" to={(id) => href("codeeval/task/" + id)} previous={doc.previous} next={doc.next} />
      </header>
      <section aria-label="Prompt">
        <details open={doc.samples.length < 2}>
          <summary>
            {doc.prompt === null ? "Prompt" : doc.sent ? "Prompt, as sent to the model" : "The task, as the dataset gives it"}
          </summary>
          {doc.prompt === null ? (
            <p class="muted">This run did not keep it: it was made by an earlier version. The samples name its digest.</p>
          ) : (
            <div class="prompt-text">
              <Raw text={doc.prompt} name="Prompt" />
            </div>
          )}
        </details>
      </section>
      {doc.total > 1 ? (
        <section aria-label="Samples">
          <VerdictStrip letters={letters} selected={sample?.sample ?? -1} onSelect={(n) => setQuery({ sample: n })} />
          {doc.samples.length < doc.total ? (
            <p class="muted">
              {plural(doc.total, "sample")}, of which {count(doc.samples.length)} are shown here.
            </p>
          ) : null}
        </section>
      ) : null}
      {sample === undefined ? (
        <Empty title="This task has no sample yet." />
      ) : (
        <Sample key={sample.sample} sample={sample} alone={doc.total === 1} />
      )}
    </div>
  );
}

function lettersOf(doc: CodeTask): string {
  const letters: string[] = [];
  for (const s of doc.samples) {
    while (letters.length < s.sample) letters.push("-");
    letters.push(verdicts.find((v) => v.key === s.verdict)?.letter ?? "?");
  }
  return letters.join("");
}

/** Links to what stands beside. */
export function Beside<I extends string | number>(p: {
  name: string; to: (id: I) => string; previous: I | undefined; next: I | undefined;
}) {
  return (
    <nav class="beside" aria-label={`Beside this ${p.name}`}>
      {p.previous === undefined ? (
        <span class="button small off" aria-hidden="true">
          ← k
        </span>
      ) : (
        <a class="button small" href={p.to(p.previous)} aria-label={`Previous ${p.name}`}>
          ← k
        </a>
      )}
      {p.next === undefined ? (
        <span class="button small off" aria-hidden="true">
          j →
        </span>
      ) : (
        <a class="button small" href={p.to(p.next)} aria-label={`Next ${p.name}`}>
          j →
        </a>
      )}
    </nav>
  );
}

function Sample(p: { sample: CodeSample; alone: boolean }) {
  const s = p.sample;
  const same = s.program === null || s.program === s.text;
  const tabs = same
    ? [{ key: "text", title: s.program === null ? "Reply" : "Program, as it was written" }]
    : [
        { key: "program", title: "Program that was run" },
        { key: "text", title: "Reply" },
        { key: "diff", title: "What extraction changed" },
      ];
  const asked = useRoute().query["show"] ?? "";
  const shown = tabs.some((t) => t.key === asked) ? asked : (tabs[0]?.key ?? "text");
  return (
    <section aria-label={p.alone ? "The sample" : `Sample ${s.sample}`} class="stack">
      <div class="section-head">
        {p.alone ? null : <h2>Sample {s.sample}</h2>}
        <VerdictBadge verdict={s.verdict} />
        {s.verdict !== "" ? (
          <span>
            {count(s.tests_passed)} of {plural(s.tests_total, "test")} passed
            {s.failed_test ? `; the first that did not: ${s.failed_test}` : ""}
          </span>
        ) : null}
        {s.flaky ? <Badge tone="warn" title="Runs with different random seeds did not agree; it counts as not passed.">flaky</Badge> : null}
        {s.clock ? (
          <Badge tone="warn" title="The wall clock ended it, not the step budget: the verdict may differ on another machine.">
            ended by the clock
          </Badge>
        ) : null}
        {s.rescued === null ? null : (
          <Badge tone="plain" title="Its only function was renamed to the one that the tests call. It never counts.">
            {s.rescued ? "would pass under the right name" : "fails under the right name, too"}
          </Badge>
        )}
      </div>
      {s.error_class || s.error ? (
        <div class="sample-error">
          <Raw text={s.error_class + (s.error ? ": " + s.error : "")} name="Error" />
        </div>
      ) : null}
      {s.stderr ? (
        <details>
          <summary>Standard error</summary>
          <Raw text={s.stderr} name="Standard error" />
        </details>
      ) : null}
      <div>
        <div class="tabs-and-tools">
          <Tabs name="The sample's texts" tabs={tabs} selected={shown} onSelect={(key) => setQuery({ show: key })} />
          <Copy text={shown === "program" ? (s.program ?? "") : s.text} label="Copy" />
        </div>
        {shown === "diff" ? (
          <Diff before={s.text} after={s.program ?? ""} language="python" />
        ) : shown === "program" ? (
          <Code text={s.program ?? ""} language="python" name="Program" />
        ) : s.text.trim() === "" ? (
          <Empty title="The sample is empty." />
        ) : (
          <Code text={s.text} language={s.text.includes("```") ? "markdown" : "python"} name="Reply" />
        )}
        {s.program === null && s.verdict !== "" && s.extraction !== "" ? (
          <p class="muted">
            The program that was run is not kept: this run was made by an earlier version. It was found in the reply as {s.extraction}.
          </p>
        ) : null}
      </div>
      <dl class="facts">
        {s.verdict !== "" ? (
          <>
            <Fact name="Ran for">{seconds(s.seconds)}</Fact>
            <Fact name="Interpreter steps">{s.steps > 0 ? count(s.steps) : "?"}</Fact>
            {s.memory_bytes > 0 ? <Fact name="Memory">{decimal(s.memory_bytes / 1e6, 1)} MB</Fact> : null}
            <Fact name="Code found by">{[s.extraction || "?", ...s.extraction_steps].join(", ")}</Fact>
          </>
        ) : null}
        {s.signs.length > 0 ? <Fact name="Signs in the reply">{s.signs.join(", ")}</Fact> : null}
        {s.made ? <MadeFacts made={s.made} /> : null}
      </dl>
      {s.made?.reasoning ? (
        <details>
          <summary>What the model thought</summary>
          <Raw text={s.made.reasoning} name="Reasoning" />
        </details>
      ) : null}
    </section>
  );
}

function MadeFacts(p: { made: SampleMade }) {
  const m = p.made;
  return (
    <>
      <Fact name="Model">{m.model || "?"}</Fact>
      <Fact name="Prompt form">{m.mode || "?"}</Fact>
      <Fact name="Ended by">
        {m.finish_reason === "length" ? <Badge tone="warn">the limit of {count(m.max_tokens)} tokens</Badge> : m.finish_reason || "?"}
      </Fact>
      <Fact name="Tokens in, out">
        {count(m.input_tokens)}{m.cached_tokens > 0 ? ` (${count(m.cached_tokens)} cached)` : ""}, {count(m.output_tokens)}
      </Fact>
      <Fact name="Temperature">
        {m.temperature === null ? "?" : decimal(m.temperature)}
        {m.top_p === null ? "" : `, top-p ${decimal(m.top_p)}`}
      </Fact>
      {m.seed === null ? null : <Fact name="Seed">{m.seed}</Fact>}
      <Fact name="Model's time">{seconds(m.seconds)}</Fact>
      <Fact name="Cost">{money(m.cost_usd)}</Fact>
    </>
  );
}

/** A training: what it came to, how it went step by step, and what must be known of its numbers. */
import { ProblemBox, useDoc, useSource, type Run, type TrainingComparison, type TrainingDoc, type TrainingSummary } from "../../documents";
import { Badge, count, Empty, Fact, href, Loading, seconds, setQuery, Tabs, useRoute, Visible } from "../../kit";
import { TestWords } from "../eval/test";
import type { PageProps } from "../props";
import { Unknown } from "../unknown";
import { BeforeAfter, worseAfter } from "./before";
import { ComparePage, CompareWith, Joint } from "./compare";
import { Curves } from "./curves";
import { Ladder } from "./ladder";
import { useSteps } from "./steps";
import { methodName, parameters } from "./words";

/** The section "training". */
export function TrainingPage(p: PageProps) {
  const [what, name] = p.rest;
  if (what === "compare" && name !== undefined) return <ComparePage run={p.run} others={name} at={p.at} />;
  return what !== undefined ? <Unknown what={p.rest.join("/")} /> : <OneOrAll {...p} />;
}

/** The file that `deeprepo train compare --html` writes holds several trainings; every other page is of one. */
function OneOrAll(p: PageProps) {
  const { single } = useSource();
  const all = useDoc<TrainingComparison>(single ? "training/compare" : null);
  if (all.doc !== undefined) return <div class="measures stack"><Joint doc={all.doc} ids={null} /></div>;
  return all.loading ? <Loading /> : <One {...p} />;
}

function One(p: PageProps) {
  const { doc, error } = useDoc<TrainingDoc>("training");
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  const s = doc.summary;
  return (
    <div class="measures stack">
      <Head doc={doc} run={p.run} />
      {s?.gate ? <p class={"verdict " + (s.gate.passed ? "good" : "bad")}>{s.gate.words}</p> : null}
      {s?.test ? <TestWords test={s.test} worse={worseAfter(s)} /> : null}
      <CompareWith run={p.run} at={p.at} />
      {s ? <Ladder summary={s} run={p.run} /> : null}
      {s ? <BeforeAfter summary={s} run={p.run} /> : null}
      <Stages doc={doc} run={p.run} />
      {s && s.caveats.length > 0 ? (
        <section aria-label="Caveats">
          <h2>Caveats</h2>
          <ul class="rules">{s.caveats.map((c) => <li key={c}><Visible text={c} /></li>)}</ul>
        </section>
      ) : null}
      {doc.asked.length > 0 ? (
        <details>
          <summary>Options</summary>
          <dl class="facts">{doc.asked.map((f) => <Fact key={f.name} name={f.name}><Visible text={f.value} /></Fact>)}</dl>
        </details>
      ) : null}
    </div>
  );
}

function Head(p: { doc: TrainingDoc; run: Run }) {
  const { doc } = p;
  const s = doc.summary;
  const made = doc.stages.at(-1);
  return (
    <section aria-label="Figures">
      {doc.problem ? <p class="notice warn">{doc.problem}</p> : null}
      <dl class="facts">
        <Fact name="Method">{methodName(doc.method) || "?"}</Fact>
        {s ? (
          <>
            <Fact name="Steps">
              {count(s.steps)}
              {s.status === "completed" ? (
                ""
              ) : (
                <>
                  {" "}
                  <Badge tone="warn">{s.status}</Badge>
                </>
              )}
              {s.end ? <span class="muted"> ended by {s.end}</span> : null}
            </Fact>
            {s.method === "grpo" ? <Fact name="Policy kept">step {count(s.best_step)}{s.best_step === 0 ? " (the base)" : ""}</Fact> : null}
            <Details s={s} />
          </>
        ) : (
          <Fact name="Steps so far">
            {made ? count(made.steps) : "0"}
            {doc.planned > 0 && made?.name === "" ? ` of ${count(doc.planned)}` : ""}
            {made && made.name !== "" ? ` of ${made.name}` : ""} {p.run.live ? <Badge tone="live">live</Badge> : null}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Details(p: { s: TrainingSummary }) {
  const { s } = p;
  const t = s.temperature;
  const at = [
    t.training ? `training ${t.training}` : "", t.between ? `in between ${t.between}` : "",
    t.measured ? `before and after ${t.measured}` : "",
  ]
    .filter(Boolean)
    .join(", ");
  return (
    <>
      <Fact name="Engine">{s.engine}</Fact>
      <Fact name="Model">
        {[s.size || "a given model", s.parameters > 0 ? parameters(s.parameters) + " parameters" : ""].filter(Boolean).join(", ")}
        {s.trained_parameters > 0 ? `, ${parameters(s.trained_parameters)} trained` : ""}
      </Fact>
      <Fact name="Seed">{String(s.seed)}</Fact>
      <Fact name="Trained in">{s.environment}</Fact>
      <Fact name="Measured in">{[s.measured_in, s.split].filter(Boolean).join(", ")}</Fact>
      {at ? <Fact name="Temperature">{at}</Fact> : null}
      <Fact name="Time of training">{seconds(s.seconds)}</Fact>
      {s.sft ? (
        <Fact name="Imitation first">
          {count(s.sft.steps)} steps on {count(s.sft.demonstrations)} demonstrations, held-out loss {s.sft.heldout_loss.toFixed(3)},{" "}
          {seconds(s.sft.seconds)}
        </Fact>
      ) : null}
      {s.adapter ? <Fact name="Result"><span class="mono wrap"><Visible text={s.adapter} /></span></Fact> : null}
      {s.settings ? <Fact name="Settings"><span class="mono">{s.settings}</span></Fact> : null}
    </>
  );
}

/** The curves, of one stage at a time where there are several. */
function Stages(p: { doc: TrainingDoc; run: Run }) {
  const { query } = useRoute();
  const { stages } = p.doc;
  const stage = stages.find((s) => (s.name || "run") === query["stage"]) ?? stages.at(-1);
  const { steps, error } = useSteps(stage ? stage.name : null);
  if (stage === undefined)
    return <Empty title="No steps yet.">{p.run.live ? <p>Steps appear here as they are made.</p> : null}</Empty>;
  const child = p.run.children.find((c) => c.path === `${p.run.path}/${stage.name}`);
  return (
    <section aria-label="By step">
      <div class="section-head">
        <h2>By step</h2>
        {child ? <a href={href("/run/" + child.id)}>{stage.name}: its own page</a> : null}
      </div>
      {stages.length > 1 ? (
        <Tabs
          name="Stages"
          tabs={stages.map((s) => ({
            key: s.name || "run", title: `${s.name || "the run"}: ${methodName(s.method)}, ${count(s.steps)} steps`,
          }))}
          selected={stage.name || "run"}
          onSelect={(key) => setQuery({ stage: key === "run" ? "" : key })}
        />
      ) : null}
      {error && steps === undefined ? <ProblemBox problem={error} /> : null}
      {steps?.problem ? <p class="notice warn">{steps.problem}</p> : null}
      {steps ? (
        <Curves
          method={stage.method} steps={steps} best={stage.name === "" && p.doc.summary?.method === "grpo" ? p.doc.summary.best_step : null}
        />
      ) : error ? null : (
        <Loading />
      )}
    </section>
  );
}

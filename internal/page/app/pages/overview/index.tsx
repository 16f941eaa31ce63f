/** A run's first page: what it came to, its facts, what went wrong, where to go on, the runs inside it. */
import { ProblemBox, type Run, type Section } from "../../documents";
import { Badge, Fact, href, money, seconds, StatusBadge, Visible, when } from "../../kit";
import { FleetWork } from "./fleet";
import { History } from "./history";
import { Missing } from "./missing";
import { ReviewSummary } from "./review";
import { kindTitles, Runs } from "../runs";
import { sectionTitles } from "../sections";

const sectionSays: { readonly [section in Section]: string } = {
  findings: "what was found, beside its code",
  turns: "what the root did, cell by cell, and what each worker saw",
  code: "which lines workers reviewed, and which they did not",
  eval: "every attempt, its reward and its parts",
  bench: "cost against quality, by configuration",
  codeeval: "every task, its programs and verdicts",
  compare: "what got better and what got worse",
  pairs: "which pairs were kept, and why",
  training: "reward, turns and KL by step",
};

/** What is known of a run before any of its sections is opened. */
export function Overview(p: { run: Run; single: boolean }) {
  const { run } = p;
  const links = (Object.keys(sectionTitles) as Section[]).filter((s) => run.sections.includes(s));
  return (
    <>
      <div class="run-head">
        <h1><Visible text={run.name} /></h1>
        <Badge>{kindTitles[run.kind] ?? run.kind}</Badge>
        <StatusBadge s={run.status} />
      </div>
      <p class="run-path"><Visible text={run.path} /></p>
      {run.problem ? <ProblemBox problem={{ status: 0, message: run.problem, ...(run.hint ? { hint: run.hint } : {}) }} /> : null}
      <Missing run={run} />
      {run.headline ? <p class="headline"><Visible text={run.headline} /></p> : null}
      {links.length > 0 ? (
        <ul class="section-cards" aria-label="Sections">
          {links.map((s) => (
            <li key={s}>
              <a href={href(s)}>
                <strong>{sectionTitles[s]}</strong>
                <span>{sectionSays[s]}</span>
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      <dl class="facts run-facts">
        {run.started_at ? <Fact name="Started">{when(run.started_at)}</Fact> : null}
        {run.duration_s !== undefined ? <Fact name={run.live ? "So far" : "Took"}>{seconds(run.duration_s)}</Fact> : null}
        <Fact name="Cost">{money(run.cost_usd)}</Fact>
        {run.models.length > 0 ? (
          <Fact name={run.models.length > 1 ? "Models" : "Model"}>
            <span class="mono">
              <Visible text={run.models.join(", ")} />
            </span>
          </Fact>
        ) : null}
        {run.facts.map((f) => (
          <Fact key={f.name} name={f.name}>
            <Visible text={f.value} />
          </Fact>
        ))}
      </dl>
      {run.kind === "review" && run.sections.includes("findings") ? <ReviewSummary /> : null}
      {run.kind === "review" && !p.single ? <History /> : null}
      {run.fleet ? <FleetWork work={run.fleet} /> : null}
      {run.omitted ? <p class="muted"><Visible text={run.omitted} /></p> : null}
      {run.children.length > 0 && !p.single ? <Runs rows={run.children} title="Runs inside" /> : null}
    </>
  );
}

/** What stands below a run's first section: its facts, its bill, its machines, the runs inside it. */
import type { Run } from "../../documents";
import { Fact, money, seconds, Visible, when } from "../../kit";
import { Runs } from "../runs";
import { Bill } from "./bill";
import { FleetWork } from "./fleet";
import { History } from "./history";

/** All that is known of a run beside what it came to. */
export function About(p: { run: Run; single: boolean }) {
  const { run } = p;
  const inside = run.children.length > 0 && !p.single ? <Runs rows={run.children} title="Runs inside" /> : null;
  const first = run.sections.length === 0; // a list of reviews is nothing but these
  return (
    <>
      {first ? inside : null}
      <section class="about" aria-label="About this run">
        <h2>About this run</h2>
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
          {run.path ? <Fact name="directory"><span class="mono"><Visible text={run.path} /></span></Fact> : null}
        </dl>
        {run.kind === "review" && run.sections.includes("findings") ? <Bill /> : null}
      </section>
      {run.kind === "review" && !p.single ? <History /> : null}
      {run.fleet ? <FleetWork work={run.fleet} /> : null}
      {run.omitted ? <p class="muted"><Visible text={run.omitted} /></p> : null}
      {first ? null : inside}
    </>
  );
}

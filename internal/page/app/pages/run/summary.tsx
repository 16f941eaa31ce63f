/** The trace as a whole: its figures, why it ended, and the run drawn over time. */
import { ProblemBox, type Run, type Trace } from "../../documents";
import { count, Fact, money, plural, seconds, Visible, type Query } from "../../kit";
import { Strip } from "./strip";
import type { Row, Timeline } from "./timeline";
import { ending } from "./words";

/** The figures above the timeline. */
export function Summary(p: {
  run: Run; base: string; at: string; trace: Trace; timeline: Timeline; selected: Row | undefined; query: Query;
}) {
  const { totals } = p.timeline;
  const coverage = p.base === "" ? p.run.facts.find((fact) => fact.name.toLowerCase() === "coverage")?.value : undefined;
  const end = p.trace.end;
  return (
    <div class="trace-summary">
      <dl class="facts facts-dense">
        <Fact name="Turns">
          {count(totals.turns)}
          {totals.loops > 0 ? <span class="muted"> in {plural(totals.loops + 1, "loop")}</span> : null}
        </Fact>
        <Fact name="Dispatches">
          {count(totals.dispatches)}
          {totals.cached > 0 ? <span class="muted"> {count(totals.cached)} cached</span> : null}
        </Fact>
        <Fact name="Errors">
          <span class={totals.errors > 0 ? "bad" : ""}>{count(totals.errors)}</span>
          {totals.repeated > 0 ? <span class="muted"> {count(totals.repeated)} repeated</span> : null}
        </Fact>
        <Fact name="Cost, root">{money(totals.rootCost)}</Fact>
        <Fact name="Cost, workers">{money(totals.workerCost)}</Fact>
        {coverage === undefined ? null : <Fact name="Coverage">{coverage}</Fact>}
        <Fact name="Time">{seconds(totals.span / 1000)}</Fact>
        <Fact name="Ended">
          {end ? <Visible text={ending(end.stop_reason)} /> : p.trace.complete ? "The trace has no end: the run was killed" : "Not yet"}
        </Fact>
      </dl>
      {p.trace.problem ? (
        <ProblemBox problem={{ status: 0, message: "The end of the trace cannot be read.", hint: p.trace.problem }} />
      ) : null}
      <Strip {...p} />
    </div>
  );
}

/** A run's first page: its facts, what went wrong, the runs inside it. */
import type { Run } from "../documents";
import { Fact, ProblemBox } from "../kit";
import { Runs } from "./runs";

/** What is known of a run before any of its sections is opened. */
export function Overview(p: { run: Run }) {
  const { run } = p;
  return (
    <>
      {run.problem ? <ProblemBox problem={{ status: 0, message: run.problem, ...(run.hint ? { hint: run.hint } : {}) }} /> : null}
      {run.headline ? <p class="headline">{run.headline}</p> : null}
      <dl class="facts">
        {run.facts.map((f) => (
          <Fact key={f.name} name={f.name}>
            {f.value}
          </Fact>
        ))}
      </dl>
      {run.omitted ? <p class="muted">{run.omitted}</p> : null}
      {run.children.length > 0 ? <Runs rows={{ runs: run.children, truncated: false }} /> : null}
    </>
  );
}

/** What is shown where a document cannot be. */
import { Visible } from "../kit";
import type { Problem } from "./types";

/** An error and its hint. */
export function ProblemBox(p: { problem: Problem }) {
  return (
    <div class="problem" role="alert">
      <p class="problem-message"><Visible text={p.problem.message} /></p>
      {p.problem.hint ? <p><Visible text={p.problem.hint} /></p> : null}
    </div>
  );
}

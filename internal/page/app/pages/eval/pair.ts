/** Two evals that are compared. */
import type { EvalDoc, Run } from "../../documents";

/** Two evals side by side; "b" is what "a" is compared with. */
export interface Pair {
  a: Run;
  b: Run;
  rowsA: EvalDoc;
  rowsB: EvalDoc;
}

/** What tells two runs apart: the last two parts of the path. */
export function label(run: Run): string {
  return run.path.split("/").slice(-2).join("/");
}

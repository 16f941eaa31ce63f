/** What every page of a run is given. */
import type { Run } from "../documents";

export interface PageProps {
  run: Run;
  /** The route below the section: for "turns/12/dispatch/15" it is ["12", "dispatch", "15"]. */
  rest: string[];
  /** What trace resources begin with: "" for the run's own trace, "rollout/17/" for a rollout's. */
  base: string;
  /** The page's own route, for links to pages below it: "turns", or "eval/rollout/17/turns". */
  at: string;
}

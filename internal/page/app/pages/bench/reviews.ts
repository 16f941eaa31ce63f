/** The reviews of a bench: those that count, and where their own pages are. */
import type { BenchReview, BenchRow, Run } from "../../documents";
import { href } from "../../kit";

/** The reviews that count. */
export function done(r: BenchRow): BenchReview[] {
  return r.runs.filter((x) => x.state === "done");
}

/** A directory of ours below the bench's: no part of it leads elsewhere. */
const ours = /^[A-Za-z0-9_+-][A-Za-z0-9._+-]*(\/[A-Za-z0-9_+-][A-Za-z0-9._+-]*){0,4}$/;

/** The run in the bench's directory that a review is, if it is listed; in a file, the report that lies beside it. */
export function reviewHref(run: Run, r: BenchReview, file: boolean): string | undefined {
  if (file) return r.state === "done" && ours.test(r.dir) ? r.dir + "/report.html" : undefined;
  const child = run.children.find((c) => c.path.endsWith("/" + r.dir) && c.path.length === run.path.length + 1 + r.dir.length);
  return child ? href("/run/" + child.id) : undefined;
}

/** What a run's page begins with: what was looked at, what it came to, what is missing. */
import { ProblemBox, type Run } from "../../documents";
import { Badge, count, href, percent, plural, SeveritySign, StatusBadge, Visible } from "../../kit";
import { severities } from "../../kit/tables";
import { kindTitles } from "../runs";
import { Claimed } from "./claims";
import { Missing } from "./missing";

/** What a run is called: a review by its repository and commit, others by their directory. */
export function titleOf(run: Run): { name: string; commit: string } {
  const r = run.review;
  return r?.repository ? { name: r.repository, commit: (r.commit ?? "").slice(0, 12) } : { name: run.name, commit: "" };
}

/** The title, the counts and what is missing. */
export function RunHead(p: { run: Run }) {
  const { run } = p;
  const title = titleOf(run);
  const counts = countsOf(run);
  return (
    <section class="run-top" aria-label="What this is">
      <div class="run-head">
        <h1>
          <Visible text={title.name} />
          {title.commit ? (
            <span class="run-commit"><span class="muted"> at </span><code><Visible text={title.commit} /></code></span>
          ) : null}
        </h1>
        <Badge>{kindTitles[run.kind] ?? run.kind}</Badge>
        <StatusBadge s={run.status} />
        {run.review?.reader ? <Badge title="Who read the code, and how much of it"><Visible text={run.review.reader} /></Badge> : null}
      </div>
      {run.problem ? <ProblemBox problem={{ status: 0, message: run.problem, ...(run.hint ? { hint: run.hint } : {}) }} /> : null}
      <Missing run={run} />
      <ChangeLine run={run} />
      {counts.length > 0 ? (
        <ul class="counts" aria-label={run.review?.change ? "New findings by severity" : "Findings by severity"}>
          {counts.map(([severity, n]) => (
            <li key={severity}>
              <a href={href("findings", { severity })}>
                <strong>{count(n)}</strong>
                <span><SeveritySign s={severity} /> {severity}{run.review?.change ? ", new" : ""}</span>
              </a>
            </li>
          ))}
        </ul>
      ) : null}
      {run.headline && run.review?.progress === undefined && !toldAbove(run) ? (
        <p class="headline"><Visible text={run.headline} /></p>
      ) : null}
      <SoFar run={run} />
    </section>
  );
}

/** The severities that were found, the gravest first. */
export function countsOf(run: Run): [string, number][] {
  return severities.flatMap((s): [string, number][] => {
    const n = run.review?.severities?.[s] ?? 0;
    return n > 0 ? [[s, n]] : [];
  });
}

/** Whether the head says in other words what the headline says. */
function toldAbove(run: Run): boolean {
  return (countsOf(run).length > 0 && repeatsCounts(run.headline)) || run.review?.change?.counts !== undefined
    || (run.status === "failed" && run.ended !== undefined && run.headline === "failed before anything was found");
}

/** Of a change: what is compared, and what its findings are to it. */
function ChangeLine(p: { run: Run }) {
  const change = p.run.review?.change;
  if (change === undefined) return null;
  const { name, commit } = titleOf(p.run);
  const { counts } = change;
  return (
    <p class="change-line">
      <span>
        Change from base <code><Visible text={change.base} /></code> to head <code><Visible text={commit || name} /></code>
      </span>
      {counts === undefined ? null : (
        <span class="change-counts">
          <span><strong>{count(counts.new)}</strong> new</span>
          <span><strong>{count(counts.before)}</strong> there before</span>
          {counts.fixed > 0 ? (
            <a href={href("findings", { tab: "fixed" })}><strong>{count(counts.fixed)}</strong> fixed</a>
          ) : (
            <span><strong>0</strong> fixed</span>
          )}
        </span>
      )}
      {change.reviewing ? <Badge tone="live">reviewing the base</Badge> : null}
    </p>
  );
}

/** Whether a headline says nothing but the counts, which stand above it. */
export function repeatsCounts(headline: string): boolean {
  return /^[\d,]+ findings?(: [^;]*)?$/.test(headline);
}

/** How many lines were answered, as far as prompts say which they hold; nothing where none does. */
export function answered(lines: number, of: number): string {
  if (lines === 0) return "";
  if (of > 0 && lines >= of) return `All ${plural(of, "line")} answered so far, `;
  const what = of > 0 ? `${percent(Math.min(1, lines / of))} of ${plural(of, "line")}` : plural(lines, "line");
  return `At least ${what} answered so far, `;
}

/** How far a review has come that has no report yet, and what workers have claimed meanwhile. */
function SoFar(p: { run: Run }) {
  const progress = p.run.review?.progress;
  if (progress === undefined) return null;
  const { lines, of } = progress;
  const share = of > 0 ? Math.min(1, lines / of) : null;
  return (
    <>
      <div class="so-far" role="status">
        {share === null || lines === 0 ? null : <progress max={1} value={share} aria-label="Lines that were answered" />}
        <span>
          {answered(lines, of)}
          {plural(progress.turns, "turn")}, {plural(progress.dispatches, "dispatch", "dispatches")}
          {progress.failed > 0 ? <span class="bad">, {count(progress.failed)} failed</span> : null}
        </span>
      </div>
      <Claimed />
    </>
  );
}

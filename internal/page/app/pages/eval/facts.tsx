/** What an eval came to, in figures. */
import type { EvalDoc, EvalShare, EvalSpread, EvalSummary } from "../../documents";
import { Badge, count, Fact, money, percent, plural, seconds } from "../../kit";

/** "0.947 [0.921, 0.973]"; the interval's absence is said. */
export function Mean(p: { of: EvalSpread; digits?: number }) {
  const { of } = p;
  const digits = p.digits ?? 3;
  if (of.mean === null) return <>?</>;
  return (
    <>
      <strong>{fixed(of.mean, digits)}</strong>{" "}
      {of.ci95 ? (
        <span class="interval" title={`95% interval of the mean over tasks${of.ci95_method ? " (" + of.ci95_method + ")" : ""}`}>
          {interval(of.ci95, digits)}
        </span>
      ) : (
        <span class="muted">no interval: {of.ci95_why || "not known"}</span>
      )}
    </>
  );
}

/** "[0.921, 0.973]". */
export function interval(ci: readonly [number, number], digits = 3): string {
  return `[${fixed(ci[0], digits)}, ${fixed(ci[1], digits)}]`;
}

/** "12 of 128 (9%, 5 to 16%)"; "?" where the rows do not say. */
export function share(v: EvalShare | null): string {
  if (v === null) return "?";
  const range = v.ci95 ? `, ${percent(v.ci95[0])} to ${percent(v.ci95[1])}` : "";
  return `${count(v.count)} of ${count(v.of)} (${percent(v.rate)}${range})`;
}

/** The facts at the head of an eval's page. */
export function EvalFacts(p: { doc: EvalDoc; live: boolean }) {
  const s = p.doc.summary;
  return (
    <section aria-label="Figures">
      {s.warning ? <p class="notice warn">{s.warning}</p> : null}
      {p.doc.problem ? <p class="notice warn">{p.doc.problem}</p> : null}
      {!p.doc.final || p.doc.status !== "completed" ? (
        <p class="notice">
          {p.live ? <Badge tone="live">live</Badge> : <Badge tone="warn">partial</Badge>} {count(s.done)} of{" "}
          {s.planned > 0 ? count(s.planned) : "?"} rollouts are done; the figures are of these.
        </p>
      ) : null}
      <dl class="facts">
        <Fact name="Reward, mean with 95% interval">
          <span class="figure"><Mean of={s.reward} /></span>
        </Fact>
        <Fact name="σ">{fixed(s.reward.std)}</Fact>
        <Fact name="Range">{s.reward.min === null ? "?" : `${fixed(s.reward.min)} to ${fixed(s.reward.max)}`}</Fact>
        <Fact name="Turns, mean and range">{range(s.metrics?.["num_turns"])}</Fact>
        <Fact name="Dispatches, mean and range">{range(s.metrics?.["dispatches"])}</Fact>
        <Fact name="Zero delegation">{share(s.zero_delegation)}</Fact>
        <Fact name="Over-exploration">{share(s.over_exploration)}</Fact>
        <Fact name="Ended in an error">{errors(s)}</Fact>
        <Fact name="Repeated errors">
          {s.repeated_errors ? `${plural(s.repeated_errors.cells, "cell")} in ${plural(s.repeated_errors.rollouts, "rollout")}` : "?"}
        </Fact>
        <Fact name="Dispatches without a reply">
          {s.dispatch_errors ? `${count(s.dispatch_errors.count)} of ${count(s.dispatch_errors.of)}` : "?"}
        </Fact>
        <Fact name="Rollouts without a cell">{p.doc.final ? count(s.rollouts_without_cells) : "?"}</Fact>
        <Fact name="Ended by">{conditions(s)}</Fact>
        <Fact name="Tokens a rollout, in and out">{tokens(p.doc)}</Fact>
        <Fact name="Cost">
          {money(s.usage.total_cost_usd)}
          {p.doc.final ? <span class="muted"> policy {money(s.usage.root.cost_usd)}, workers {money(s.usage.worker.cost_usd)}</span> : null}
        </Fact>
        {s.usage.unfinished_cost_usd !== undefined ? (
          <Fact name="Cost of unfinished rollouts">{money(s.usage.unfinished_cost_usd)}</Fact>
        ) : null}
        {p.doc.final ? <Fact name="Calls, policy and workers">{count(s.usage.root.calls)} and {count(s.usage.worker.calls)}</Fact> : null}
        <Fact name="Environment">{[s.environment, s.split].filter(Boolean).join(", ") || "?"}</Fact>
        <Fact name="Policy">{s.model || "?"}</Fact>
        <Fact name="Worker">{s.worker || "the environment's"}</Fact>
        {s.strategy ? <Fact name="Strategy">{s.strategy}</Fact> : null}
        <Fact name="Tasks × rollouts">{s.examples > 0 ? `${count(s.examples)} × ${count(s.rollouts)}` : count(s.done)}</Fact>
        {s.seed !== null ? <Fact name="Seed">{String(s.seed)}</Fact> : null}
        {s.seconds > 0 ? <Fact name="Time">{seconds(s.seconds)}</Fact> : null}
      </dl>
    </section>
  );
}

function fixed(v: number | null, digits = 3): string {
  return v === null ? "?" : digits === 0 ? count(v) : v.toFixed(digits);
}

function range(m: EvalSpread | undefined): string {
  if (m === undefined || m.mean === null) return "?";
  return `${m.mean.toFixed(2)} (${count(m.min)} to ${count(m.max)})`;
}

function errors(s: EvalSummary): string {
  const text = `${count(s.errors)} of ${count(s.done)}`;
  const names = Object.entries(s.error_names ?? {}).map(([name, n]) => `${name} ${count(n)}`);
  return names.length > 0 ? `${text} (${names.join(", ")}); not in any mean` : text;
}

function conditions(s: EvalSummary): string {
  const all = Object.entries(s.stop_conditions ?? {}).sort((a, b) => b[1] - a[1]);
  return all.map(([name, part]) => `${name || "not said"} ${percent(part)}`).join(", ") || "?";
}

function tokens(doc: EvalDoc): string {
  const mean = (column: (number | null)[]) => {
    const known = column.filter((v): v is number => v !== null);
    return known.length > 0 ? count(known.reduce((a, b) => a + b, 0) / known.length) : "?";
  };
  return `${mean(doc.rows.input_tokens)} and ${mean(doc.rows.output_tokens)}`;
}

/** What got worse where a mean says "better": the tasks that lost, and the figures beside the one that was measured. */
import type { EvalColumn, EvalSummary } from "../../documents";
import { count, decimal, percent, plural } from "../../kit";

/** One figure of two sides; null where it is not known. */
export interface Change {
  name: string;
  before: number | null | undefined;
  after: number | null | undefined;
  /** Whether more of it is worse. */
  moreIsWorse: boolean;
  percent?: boolean;
}

/** What got worse, in words, one thing each; empty when nothing that is known did. */
export function worsened(tasks: { worse: number; of: number }, changes: readonly Change[]): string[] {
  const out = tasks.worse > 0 ? [`${tasks.worse} of ${plural(tasks.of, "task")}`] : [];
  for (const c of changes) {
    if (c.before == null || c.after == null) continue;
    const more = c.after - c.before;
    if (Math.abs(more) < 1e-9 || more > 0 !== c.moreIsWorse) continue;
    const write = (v: number) => (c.percent ? percent(v) : v < 10 ? decimal(v, 2) : count(Math.round(v)));
    const [from, to] = [write(c.before), write(c.after)];
    if (from !== to) out.push(`${c.name} (${from} to ${to})`);
  }
  return out;
}

/** The figures of two evals of which the first is what the second is compared with. */
export function changesOfColumns(before: EvalColumn, after: EvalColumn): Change[] {
  const rate = (of: { errors: number; rollouts: number }) => (of.rollouts > 0 ? of.errors / of.rollouts : null);
  return [
    { name: "zero delegation", before: before.zero_delegation?.rate, after: after.zero_delegation?.rate, moreIsWorse: true, percent: true },
    {
      name: "over-exploration", before: before.over_exploration?.rate, after: after.over_exploration?.rate, moreIsWorse: true,
      percent: true,
    },
    { name: "rollouts that ended in an error", before: rate(before), after: rate(after), moreIsWorse: true, percent: true },
    { name: "turns", before: before.turns.mean, after: after.turns.mean, moreIsWorse: true },
    { name: "tokens in", before: before.input_tokens.mean, after: after.input_tokens.mean, moreIsWorse: true },
    { name: "tokens out", before: before.output_tokens.mean, after: after.output_tokens.mean, moreIsWorse: true },
  ];
}

/** The figures before and after a training. */
export function changesOfSummaries(before: EvalSummary, after: EvalSummary): Change[] {
  const of = (e: EvalSummary, name: string) => e.metrics?.[name]?.mean;
  const written = (e: EvalSummary) => (e.done > 0 ? e.usage.root.output_tokens / e.done : null);
  const rate = (e: EvalSummary) => (e.done > 0 ? e.errors / e.done : null);
  return [
    { name: "zero delegation", before: before.zero_delegation?.rate, after: after.zero_delegation?.rate, moreIsWorse: true, percent: true },
    {
      name: "over-exploration", before: before.over_exploration?.rate, after: after.over_exploration?.rate, moreIsWorse: true,
      percent: true,
    },
    { name: "rollouts that ended in an error", before: rate(before), after: rate(after), moreIsWorse: true, percent: true },
    { name: "coverage", before: of(before, "coverage"), after: of(after, "coverage"), moreIsWorse: false, percent: true },
    { name: "recall", before: of(before, "recall"), after: of(after, "recall"), moreIsWorse: false, percent: true },
    { name: "turns", before: of(before, "num_turns"), after: of(after, "num_turns"), moreIsWorse: true },
    { name: "tokens written", before: written(before), after: written(after), moreIsWorse: true },
  ];
}

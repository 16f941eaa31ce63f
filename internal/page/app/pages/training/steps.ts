/** The steps of a training that may be under way: what is there is kept, and only what is new is asked for. */
import { useEffect, useState } from "preact/hooks";
import { useDoc, useSource, type Problem, type TrainingSteps } from "../../documents";

/** The steps of a stage, "" for the run itself, as far as they have come; null asks for nothing. */
export function useSteps(stage: string | null): { steps?: TrainingSteps; error?: Problem } {
  const source = useSource();
  const [kept, keep] = useState<{ stage: string | null; steps?: TrainingSteps }>({ stage });
  const mine = kept.stage === stage ? kept.steps : undefined;
  const from = source.single ? 0 : (mine?.total ?? 0);
  const { doc, error } = useDoc<TrainingSteps>(stage === null ? null : `training/${stage === "" ? "" : stage + "/"}${from}`);
  useEffect(() => {
    if (doc === undefined || doc.from !== from) return;
    if (from === 0) keep({ stage, steps: doc });
    else if (doc.total > from && mine !== undefined) keep({ stage, steps: joined(mine, doc) });
  }, [doc]);
  useEffect(() => {
    if (error !== undefined && from > 0) keep({ stage }); // it was begun again
  }, [error]);
  return { ...(mine ? { steps: mine } : {}), ...(error ? { error } : {}) };
}

/** Steps and those behind them. */
export function joined(old: TrainingSteps, more: TrainingSteps): TrainingSteps {
  const columns: { [name: string]: (number | null)[] } = {};
  for (const name of new Set([...Object.keys(old.columns), ...Object.keys(more.columns)])) {
    columns[name] = [...(old.columns[name] ?? old.step.map(() => null)), ...(more.columns[name] ?? more.step.map(() => null))];
  }
  return {
    total: more.total, from: old.from, step: [...old.step, ...more.step], columns, ...(more.problem ? { problem: more.problem } : {}),
  };
}

/** An eval: its rollouts, one rollout, one eval against another. */
import { ProblemBox, useDoc, type EvalDoc } from "../../documents";
import { Loading } from "../../kit";
import { ComparePage, CompareWith } from "./compare";
import { EvalFacts } from "./facts";
import { RewardGrid } from "./grid";
import { Parts, Spreads } from "./parts";
import { RolloutPage } from "./rollout";
import { Rollouts } from "./rollouts";
import type { PageProps } from "../props";
import { Unknown } from "../unknown";

/** The section "eval". */
export function EvalPage(p: PageProps) {
  const [what, name, ...rest] = p.rest;
  if (what === "rollout" && name !== undefined) return <RolloutPage run={p.run} n={name} rest={rest} at={p.at} />;
  if (what === "compare" && name !== undefined) return <ComparePage run={p.run} other={name} at={p.at} />;
  return what !== undefined ? <Unknown what={p.rest.join("/")} /> : <All {...p} />;
}

function All(p: PageProps) {
  const { doc, error } = useDoc<EvalDoc>("eval");
  if (doc === undefined) return error ? <ProblemBox problem={error} /> : <Loading />;
  const open = (n: number) => `${p.at}/rollout/${n}`;
  return (
    <div class="measures stack">
      <EvalFacts doc={doc} live={p.run.live} />
      <CompareWith run={p.run} at={p.at} />
      {doc.rows.total > 0 ? (
        <>
          <RewardGrid doc={doc} open={open} />
          <Parts doc={doc} />
          <Spreads doc={doc} />
          <Rollouts doc={doc} open={open} />
        </>
      ) : null}
    </div>
  );
}

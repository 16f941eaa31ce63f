/** Which component shows which section of a run. A page's owner adds a line here. */
import type { VNode } from "preact";
import type { Run, Section } from "../documents";
import { BenchPage } from "./bench";
import { CodePage } from "./code";
import { CodeEvalPage } from "./codeeval";
import { ComparePage } from "./compare";
import { EvalPage } from "./eval";
import { FindingsPage } from "./findings";
import { PairsPage } from "./pairs";
import { Turns } from "./run/turns";
import { TrainingPage } from "./training";

/** What every page of a run is given. */
export interface PageProps {
  run: Run;
  /** The route below the section: for "turns/12/dispatch/15" it is ["12", "dispatch", "15"]. */
  rest: string[];
  /** What trace resources begin with: "" for the run's own trace, "rollout/17/" for a rollout's. */
  base: string;
  /** The page's own route, for links to pages below it: "turns", or "eval/rollout/17/turns". */
  at: string;
}

/** A page. */
export type Page = (p: PageProps) => VNode;

/** The sections that have a page, and the page. */
export const pages: { readonly [section in Section]?: Page } = {
  findings: FindingsPage,
  turns: Turns,
  code: CodePage,
  eval: EvalPage,
  bench: BenchPage,
  codeeval: CodeEvalPage,
  compare: ComparePage,
  pairs: PairsPage,
  training: TrainingPage,
};

/** What sections are called in the navigation, in this order. */
export const sectionTitles: { readonly [section in Section]: string } = {
  findings: "Findings",
  turns: "Turns",
  code: "Code",
  eval: "Rollouts",
  bench: "Bench",
  codeeval: "Tasks",
  compare: "Comparison",
  pairs: "Pairs",
  training: "Training",
};

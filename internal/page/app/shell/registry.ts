/** Which component shows which section of a run. A page's owner adds a line here. */
import type { VNode } from "preact";
import type { Section } from "../documents";
import { BenchPage } from "../pages/bench";
import { CodePage } from "../pages/code";
import { CodeEvalPage } from "../pages/codeeval";
import { ComparePage } from "../pages/compare";
import { EvalPage } from "../pages/eval";
import { FindingsPage } from "../pages/findings";
import { PairsPage } from "../pages/pairs";
import { Turns } from "../pages/run/turns";
import type { PageProps } from "../pages/props";
import { TrainingPage } from "../pages/training";

/** A page. */
type Page = (p: PageProps) => VNode;

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

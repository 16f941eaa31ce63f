/** The parts of a run's page. */
import type { Section } from "../documents";

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

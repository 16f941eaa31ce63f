/** The documents of code evals and comparisons; see documents.ts. What is not known is null, never 0. */
import type { NamedFact } from "./documents";

/** "codeeval": what a code eval or a verification found. */
export interface CodeRun {
  command: string;
  dataset: string;
  split?: string;
  /** The model that was asked, or where the samples are from. */
  source: string;
  /** Samples with a verdict, and those of them that passed. */
  total: number;
  passed: number;
  /** Empty where there is no score; `withheld` then says why. */
  pass_at_k: PassAtK[];
  ci95: [number, number] | null;
  ci_method: string;
  withheld: string;
  /** Null until the run has ended. */
  controls: Controls | null;
  verdicts: Named[];
  error_classes: ErrorClass[];
  extraction: Named[];
  signs: Named[];
  /** What looks wrong with the run rather than with the model. */
  diagnosis: string[];
  /** What the score does not say. */
  caveats: string[];
  /** Tasks without a sample. */
  missing: string[];
  generation: Generation | null;
  settings: NamedFact[];
  tasks: CodeTasks;
  tasks_total: number;
  samples_kept: number;
  problem?: string;
}

export interface PassAtK {
  k: number;
  value: number;
}

export interface Named {
  name: string;
  count: number;
}

export interface ErrorClass {
  name: string;
  count: number;
  tasks: number;
  /** Its most frequent text, which `same` samples share. */
  message: string;
  same: number;
}

/** What had to come out as it must before any score was given. */
export interface Controls {
  canonical_passed: number;
  canonical_total: number;
  expected_failures: string[];
  null_passed: number;
  null_total: number;
  unexpected: string[];
}

export interface Generation {
  wanted: number;
  made: number;
  truncated: number;
  empty: number;
  lost: number;
  input_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  model_seconds: number;
}

/**
 * The tasks, a column each. `verdicts` has a letter a sample: p passed, f failed, s syntax error, n no entry point,
 * e empty, t timeout, m memory, i infra error, . not judged yet, - none, ? unknown.
 */
export interface CodeTasks {
  id: string[];
  entry: string[];
  verdicts: string[];
  passed: number[];
  error: string[];
  seconds: number[];
  tokens: (number | null)[];
}

/** "codeeval/task/ID" */
export interface CodeTask {
  id: string;
  entry: string;
  /** Null where the run has not kept it. */
  prompt: string | null;
  /** The model was sent it so; otherwise it is the task as the dataset gives it. */
  sent: boolean;
  tests: number;
  samples: CodeSample[];
  /** More than are shown where there are very many. */
  total: number;
  previous?: string;
  next?: string;
}

export interface CodeSample {
  sample: number;
  /** "" for a sample that is not judged yet. */
  verdict: string;
  error_class: string;
  error: string;
  failed_test: string;
  stderr: string;
  /** What the model wrote. */
  text: string;
  /** What was run; null where that is not kept. */
  program: string | null;
  extraction: string;
  extraction_steps: string[];
  signs: string[];
  tests_passed: number;
  tests_total: number;
  steps: number;
  seconds: number;
  memory_bytes: number;
  clock: boolean;
  flaky: boolean;
  rescued: boolean | null;
  made: SampleMade | null;
}

export interface SampleMade {
  model: string;
  mode: string;
  finish_reason: string;
  reasoning: string;
  input_tokens: number;
  cached_tokens: number;
  output_tokens: number;
  cost_usd: number | null;
  seconds: number;
  temperature: number | null;
  top_p: number | null;
  seed: number | null;
  max_tokens: number;
}

/** "compare": the verdicts that count first, then, where the tests were run again, the recorded ones. */
export interface Comparison {
  reports: CompareReport[];
  published: Published | null;
  /** The tasks whose programs are kept. */
  programs: string[];
  problem?: string;
}

/** Rates are shares of 1; what is named pp, and intervals beside it, are percentage points. */
export interface CompareReport {
  verdicts: string;
  alarm: string;
  conditions: Condition[];
  comparisons: Compared[];
  trends: CompareTrend[];
  notes: string[];
  seed: number;
  resamples: number;
}

export interface Condition {
  name: string;
  path: string;
  form: string;
  model: string;
  size: number | null;
  /** "" for a base. */
  base: string;
  tasks: number;
  samples: number;
  passed: number;
  judged: number;
  unjudged: number;
  empty: number;
  empty_passed: number;
  truncated: number;
  pass_at_1: number;
  ci95: [number, number] | null;
  ci_method: string;
  warnings: string[];
}

export interface Compared {
  base: string;
  other: string;
  tasks: number;
  both_pass: number;
  both_fail: number;
  unchanged: number;
  improved: string[];
  regressed: string[];
  empty_wins: number;
  base_pass_at_1: number;
  other_pass_at_1: number;
  delta_pp: number;
  relative_pct: number | null;
  ci95: [number, number] | null;
  ci_method: string;
  ci95_bonett_price: [number, number] | null;
  test: string;
  p: number;
  p_holm: number;
  minimum_detectable_pp: number | null;
  only_base: string[];
  only_other: string[];
  unjudged: string[];
  words: string;
}

export interface CompareTrend {
  base: string;
  conditions: string[];
  sizes: number[];
  unit: string;
  per: number;
  tasks: number;
  slope_pp: number;
  at_0: number;
  ci95: [number, number] | null;
  p: number;
  words: string;
}

/** A published table beside what its own files say. */
export interface Published {
  rows: PublishedRow[];
  errors: string[];
  conclusion: string;
}

export interface PublishedRow {
  number: number;
  condition: string;
  size: number;
  printed_passed: number;
  printed_pass_at_1: string;
  printed_delta: string;
  printed_relative: string;
  recorded_passed: number | null;
  delta_pp: number | null;
  relative_pct: number | null;
  rescored_passed: number | null;
  rescored_total: number;
  rescored_ci95: [number, number] | null;
  upper_bound: number | null;
  empty: number;
  truncated: number;
}

/** "compare/task/ID": a task that changed, with each condition's programs. */
export interface Flip {
  id: string;
  sides: FlipSide[];
  changes: FlipChange[];
  previous?: string;
  next?: string;
}

export interface FlipSide {
  condition: string;
  samples: FlipSample[];
  total: number;
}

export interface FlipSample {
  sample: number;
  text: string;
  /** absent, completion, program */
  kind: string;
  passed: boolean | null;
  result: string;
  /** What the file said where the tests were run again. */
  recorded: boolean | null;
  cut: boolean;
}

export interface FlipChange {
  base: string;
  other: string;
  verdicts: string;
  improved: boolean;
}

/** The documents of evals and benches; see documents.ts. A number that is not known is null, never 0. */

/** "eval": an eval's figures, and its rollouts in columns. */
export interface EvalDoc {
  summary: EvalSummary;
  /** The summary is the eval's own; otherwise it is of the rollouts that there are so far. */
  final: boolean;
  parts: EvalPart[];
  rows: EvalRows;
  problem?: string;
}

/** summary.json of an eval. Means leave out the rollouts that ended in an error. */
export interface EvalSummary {
  status: string;
  environment: string;
  /** What must be known of the environment before its numbers are believed. */
  warning?: string;
  model: string;
  /** Absent: the environment's simulated ones. */
  worker?: string;
  strategy?: string;
  split?: string;
  seed: number | null;
  examples: number;
  /** Per example. */
  rollouts: number;
  planned: number;
  /** With a row, errors included. */
  done: number;
  errors: number;
  error_names: { [name: string]: number } | null;
  reward: EvalSpread;
  metrics: { [name: string]: EvalSpread } | null;
  zero_delegation: EvalShare | null;
  over_exploration: EvalShare | null;
  repeated_errors: EvalRepeated | null;
  dispatch_errors: EvalCount | null;
  rollouts_without_cells: number;
  /** Shares of `done`. */
  stop_conditions: { [name: string]: number } | null;
  usage: EvalUsage;
  tasks: EvalTask[] | null;
  seconds: number;
}

/** Values over rollouts; the interval is of the mean, with the task as the unit. */
export interface EvalSpread {
  n: number;
  mean: number | null;
  std: number | null;
  min: number | null;
  max: number | null;
  ci95: [number, number] | null;
  ci95_method?: string;
  ci95_why?: string;
}

/** A share of rollouts. */
export interface EvalShare {
  count: number;
  of: number;
  rate: number;
  ci95: [number, number] | null;
}

export interface EvalCount {
  count: number;
  of: number;
}

/** Cells that failed with the error of the cell before, and the rollouts that have any. */
export interface EvalRepeated {
  cells: number;
  rollouts: number;
}

export interface EvalUsage {
  root: EvalRole;
  worker: EvalRole;
  total_cost_usd: number | null;
  unfinished_cost_usd?: number;
}

/** What the policy, or the workers, consumed. */
export interface EvalRole {
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
}

/** A task: what its rollouts that count earned. */
export interface EvalTask {
  example_id: number;
  task: string;
  rollouts: number;
  errors: number;
  mean: number | null;
  std: number | null;
  min: number | null;
  max: number | null;
  turns: number | null;
}

/** A part of the reward. How a rubric joins its parts is its own: often, not always, by the sum of values times weights. */
export interface EvalPart {
  name: string;
  weight: number;
  value: EvalSpread;
}

/** Rollouts in columns, by example and rollout; every column but the lists of names has `total` entries. */
export interface EvalRows {
  total: number;
  example: number[];
  rollout: number[];
  /** Index of the summary's tasks. */
  task: number[];
  /** null: it ended in an error. */
  reward: (number | null)[];
  /** Index of `stops`. */
  stop: number[];
  stops: string[];
  /** Index of `failures`, -1 for none. */
  failure: number[];
  failures: string[];
  input_tokens: (number | null)[];
  output_tokens: (number | null)[];
  cost_usd: (number | null)[];
  seconds: (number | null)[];
  /** Those in which a reply of the policy was cut off. */
  truncated: number[];
  /** A column for each part of the document. */
  parts: (number | null)[][];
  metrics: string[];
  /** A column for each name in `metrics`. */
  values: (number | null)[][];
}

/** "eval/rollout/N": one rollout's row; N counts from 0. */
export interface EvalRollout {
  n: number;
  of: number;
  example: number;
  rollout: number;
  task: string;
  info: { name: string; value: string }[];
  reward: (number | null)[];
  stop: string;
  failure?: string;
  failure_text?: string;
  truncated: boolean;
  parts: EvalPartValue[];
  metrics: EvalMetric[];
  root_usage: EvalRole;
  worker_usage: EvalRole;
  cost_usd: number | null;
  seconds: number | null;
  /** What was planted in the task's codebase; empty for other tasks. */
  defects: EvalDefect[];
  /** The row's ground truth where it is no list of defects. */
  truth?: string;
  /** The conversation, for evals without traces. */
  messages: EvalMessage[];
  /** The base of its trace's documents, "" without one. */
  trace: string;
  previous: number | null;
  next: number | null;
}

export interface EvalPartValue {
  name: string;
  value: number;
  weight: number;
}

export interface EvalMetric {
  name: string;
  value: number;
}

export interface EvalDefect {
  file: string;
  line: number;
  end_line: number;
  category: string;
  cwe: string;
  severity: string;
  description: string;
  cross_file: boolean;
}

export interface EvalMessage {
  role: string;
  text: string;
  /** Bytes that are left out. */
  cut?: number;
}

/** "eval/compare/OTHER": this eval against another of the same tasks, as `deeprepo eval compare --json` prints it. */
export interface EvalComparison {
  environment: string;
  evals: EvalColumn[];
  comparisons: TaskTest[];
  notes?: string[];
}

/** One eval in a comparison. */
export interface EvalColumn {
  model: string;
  worker?: string;
  strategy?: string;
  tasks: number;
  rollouts: number;
  errors: number;
  reward: EvalSpread;
  turns: EvalSpread;
  input_tokens: EvalSpread;
  output_tokens: EvalSpread;
  zero_delegation: EvalShare | null;
  over_exploration: EvalShare | null;
  cost_usd: number | null;
}

/** A paired test over tasks: what the second earned more than the first. */
export interface TaskTest {
  tasks: number;
  before: number;
  after: number;
  diff: number;
  sd: number;
  ci: Interval;
  ci_bootstrap: Interval;
  p: number;
  p_t: number;
  p_holm: number;
  /** The difference that so many tasks detect 80 times in 100; 0 where nothing varies. */
  mde: number;
  tasks_needed: number;
  verdict: string;
  words: string;
}

/** An interval; the ends are null where there is none, and `why` says why. */
export interface Interval {
  lo: number | null;
  hi: number | null;
  level: number;
  method?: string;
  why?: string;
}

/** "bench": bench.json. Counts are sums over a configuration's runs that are done. */
export interface BenchDoc {
  rows: BenchRow[];
  target?: string;
  repeats: number;
  codebases: BenchCodebase[];
  behaviour_gap: BenchGap[];
  economics: BenchProjection[];
  tests: BenchTest[];
  spent_usd: number | null;
  started_at?: string;
  version: string;
  rules: string[];
  notes: string[];
}

/** A configuration. */
export interface BenchRow {
  config: string;
  root: string;
  worker: string;
  strategy: string;
  cost_usd: number | null;
  root_cost_usd: number | null;
  worker_cost_usd: number | null;
  dispatches: number | null;
  files_dispatched: number | null;
  coverage: number | null;
  turns: number | null;
  findings: number | null;
  truth: BenchTruth | null;
  unique: number | null;
  grade: string;
  quality: number | null;
  grade_by: string;
  runs_done: number;
  runs_total: number;
  runs: BenchReview[];
}

export interface BenchTruth {
  total: number;
  found: number;
  precision: number | null;
  recall: number | null;
  precision_ci95: Interval;
  recall_ci95: Interval;
  f2: number | null;
  unique: number | null;
  false: number;
  decoys: number;
  duplicates: number;
  deep_total: number;
  deep_found: number;
}

/** One review of one codebase. */
export interface BenchReview {
  config: string;
  codebase: string;
  repeat: number;
  /** Below the bench's directory. */
  dir: string;
  state: string;
  stop_reason?: string;
  error?: string;
  cost_usd: number | null;
  dispatches: number;
  dispatch_errors: number;
  cell_errors: number;
  repeated_errors: number;
  files_dispatched: number;
  lines: number;
  coverage: number;
  turns: number;
  answered: boolean;
  findings: number;
  ungrounded: number;
  duration_s: number;
  truth: BenchFound | null;
}

export interface BenchFound {
  total: number;
  found: number;
  false: number;
}

export interface BenchCodebase {
  name: string;
  truth: boolean;
  files: number;
  lines: number;
}

/** What lies between a configuration's conduct and the target's. */
export interface BenchGap {
  config: string;
  measures: BenchMeasure[];
}

export interface BenchMeasure {
  name: string;
  value: number | null;
  of?: number;
  target: number | null;
  target_of?: number;
  ratio: number | null;
}

/** What a run costs, and would cost with ten times the calls. */
export interface BenchProjection {
  config: string;
  now: BenchCosts;
  then: BenchCosts;
  root_growth_per_call_usd: number | null;
  growth_runs: number;
}

export interface BenchCosts {
  calls: number;
  worker_usd: number | null;
  root_usd: number | null;
  total_usd: number | null;
  worker_share: number | null;
}

/** The recall of two configurations, paired over codebases. */
export interface BenchTest {
  a: string;
  b: string;
  tasks: number;
  before: number;
  after: number;
  diff: number;
  ci: Interval;
  p: number;
  p_holm: number;
  words: string;
}

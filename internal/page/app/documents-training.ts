/** The documents of trainings; see documents.ts. */
import type { EvalSummary, Interval, TaskTest } from "./documents-eval";

/** "training": what a training came to, or is doing. Its steps are "training/FROM" and "training/STAGE/FROM". */
export interface TrainingDoc {
  /** sft, grpo or dpo; "" where nothing says so yet. */
  method: string;
  asked: { name: string; value: string }[];
  /** What has steps: parts of the training first, the run itself ("") last. */
  stages: TrainingStage[];
  /** null until it is done. */
  summary: TrainingSummary | null;
  /** Steps that were asked for; 0: not known. */
  planned: number;
  problem?: string;
}

export interface TrainingStage {
  name: string;
  method: string;
  steps: number;
}

/** Steps in columns: each as long as `step`; a quantity that none of them has is absent. */
export interface TrainingSteps {
  total: number;
  from: number;
  step: number[];
  columns: { [name: string]: (number | null)[] };
  problem?: string;
}

/** summary.json of a training. */
export interface TrainingSummary {
  run: string;
  engine: string;
  method: string;
  status: string;
  end?: string;
  steps: number;
  /** Where the policy that was kept was met; 0 is the base. */
  best_step: number;
  seed: number;
  size?: string;
  parameters: number;
  trained_parameters: number;
  environment: string;
  measured_in: string;
  split?: string;
  temperature: TrainingTemperature;
  before: EvalSummary | null;
  after: EvalSummary | null;
  before_cells: TrainingCells | null;
  after_cells: TrainingCells | null;
  test: TaskTest | null;
  caveats: string[];
  progression: TrainingPoint[];
  adapter: string;
  /** The imitation that a model began with. */
  sft: TrainingLesson | null;
  seconds: number;
  ladder: TrainingRung[];
  gate: TrainingGate | null;
  settings?: string;
}

export interface TrainingTemperature {
  training?: number;
  between?: number;
  measured?: number;
}

export interface TrainingCells {
  cells: number;
  errors: number;
  syntax: number;
}

export interface TrainingLesson {
  demonstrations: number;
  steps: number;
  heldout_loss: number;
  seconds: number;
}

/** A line of the progression: every tenth step and the last. */
export interface TrainingPoint {
  step: number;
  reward: number;
  heldout: number | null;
  turns: number;
  dispatches: number;
  syntax_errors: number;
  loss: number;
  kl: number;
  entropy: number;
  margin: number;
  accuracy: number;
}

/** One size of a ladder of preference pairs. */
export interface TrainingRung {
  pairs: number;
  tasks: number;
  gap: number;
  run: string;
  status: string;
  steps: number;
  heldout_pairs: TrainingPairwise | null;
  alarms: string[];
  after: EvalSummary | null;
  /** Against the base. */
  test: TaskTest | null;
  /** Against the size before. */
  next: TaskTest | null;
  passed: boolean;
  seconds: number;
}

export interface TrainingPairwise {
  pairs: number;
  preference_loss: number;
  chosen_logp: number;
  rejected_logp: number;
  chosen_drift: number;
  margin: number;
  accuracy: number;
}

export interface TrainingGate {
  passed: boolean;
  words: string;
}

/** "training/compare/IDS": trainings side by side, as `deeprepo train compare --json` prints them. */
export interface TrainingComparison {
  runs: TrainingLine[];
  groups: TrainingGroup[];
  effects?: TrainingEffect[];
  caveats: string[];
}

/** One training. */
export interface TrainingLine {
  run: string;
  engine: string;
  method: string;
  status: string;
  size?: string;
  parameters: number;
  seed: number;
  steps: number;
  environment: string;
  measured_in: string;
  before: TrainingFigure | null;
  after: TrainingFigure | null;
  difference: TrainingFigure | null;
  p: number | null;
  /** Before and after. */
  zero_delegation: (number | null)[];
  over_exploration: (number | null)[];
  turns: (number | null)[];
}

/** A mean with its interval. */
export interface TrainingFigure {
  mean: number;
  ci95: Interval;
}

/** Trainings that differ in nothing but the seed; the intervals are over trainings. */
export interface TrainingGroup {
  name: string;
  size?: string;
  parameters: number;
  seeds: number[];
  before: TrainingFigure | null;
  after: TrainingFigure | null;
  difference: TrainingFigure | null;
  zero_delegation_before: TrainingFigure | null;
  zero_delegation_after: TrainingFigure | null;
}

/** What size did, and what training did. */
export interface TrainingEffect {
  kind: string;
  from: string;
  to: string;
  difference: number;
}

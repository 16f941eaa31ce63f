/** The documents of preference pairs; see documents.ts. What is not known is null, never 0. */
import type { NamedFact } from "./documents";
import type { Controls } from "./documents-code";

/** "pairs": a set of preference pairs and how it was made. */
export interface PairSet {
  /** "code": of programs; "trace": of rollouts. */
  form: string;
  dataset: string;
  train: number;
  heldout: number;
  train_tasks: number;
  heldout_tasks: number;
  subsets: number[];
  reverified: Reverified | null;
  funnel: FunnelStep[];
  sources: PairSource[];
  controls: Controls | null;
  audit: PairAudit | null;
  settings: NamedFact[];
  /** Markdown. */
  card: string;
  rows: PairRows;
  programs_run: number;
  seconds: number;
  problem?: string;
}

export interface Reverified {
  ok: number;
  total: number;
}

export interface FunnelStep {
  name: string;
  of: string;
  in: number;
  out: number;
  why: string;
}

export interface PairSource {
  source: string;
  weight: number;
  pairs: number;
}

/** What was not looked at is null. */
export interface PairAudit {
  pairs: number;
  tasks: number;
  max_per_task: number;
  exact_duplicates: number;
  near_duplicates: PairDuplicates;
  fenced: PairSides;
  mean_chars: PairSides;
  eval_split_leak: number | null;
  warnings: string[];
  programs: number;
  length: PairLength | null;
  shortcut: PairShortcut | null;
  similarity: PairSimilarity | null;
  overlaps: PairOverlap[];
}

export interface PairDuplicates {
  within_tasks: number;
  across_tasks: number;
}

export interface PairSides {
  chosen: number;
  rejected: number;
}

export interface Span {
  lo: number;
  hi: number;
}

export interface PairLength {
  chosen_shorter: number;
  chosen_longer: number;
  accuracy: number;
  ci95: Span;
  chosen_is: string;
  ratio_beyond_2: number;
}

export interface PairShortcut {
  accuracy: number;
  ci95: Span;
  features: PairFeature[];
}

export interface PairFeature {
  name: string;
  accuracy: number;
  chosen_has: string;
}

export interface PairSimilarity {
  mean: number;
  histogram: number[];
  same_tokens: number;
}

export interface PairOverlap {
  set: string;
  set_tasks: number;
  own_task: number;
  grams_10: number;
  grams_13: number;
}

/** The pairs, a column each; file, task, source, verdict and error hold places in the lists of names. */
export interface PairRows {
  files: string[];
  tasks: string[];
  sources: string[];
  verdicts: string[];
  errors: string[];
  file: number[];
  task: number[];
  source: number[];
  verdict: number[];
  error: number[];
  chosen_score: number[];
  rejected_score: number[];
  chosen_chars: number[];
  rejected_chars: number[];
  similarity: (number | null)[];
  pass_rate: (number | null)[];
}

/** "pairs/N" */
export interface PairPage {
  n: number;
  file: string;
  line: number;
  task: string;
  form: string;
  prompt: PromptText[];
  chosen: PairSide;
  rejected: PairSide;
  similarity: number | null;
  pass_rate: number | null;
  facts: NamedFact[];
  previous?: number;
  next?: number;
}

export interface PromptText {
  role: string;
  text: string;
}

export interface PairSide {
  text: string;
  facts: NamedFact[];
  score: number | null;
  verdict: string;
  error: string;
  /** A letter for each test that was run: 1 passed, 0 failed. */
  public: string;
  mutated: string;
  turns: number;
  exchanges: Exchange[];
}

export interface Exchange {
  view: string;
  cell: string;
}

/**
 * The documents that the page shows: the JSON answers to resource paths. This file is the contract with package
 * internal/view, whose structs carry the same field names; a test there compares the two. Money is US dollars and
 * null where a price is unknown, never 0. Every string is untrusted text.
 */
export type * from "./documents-eval";
export type * from "./documents-training";

/** What a run directory holds. */
export type Kind = "review" | "eval" | "bench" | "codeeval" | "compare" | "pairs" | "training" | "unknown";
/** How far a run came; broken: the directory cannot be read as what it claims to be. */
export type Status = "running" | "completed" | "partial" | "failed" | "broken";
/** A part of a run's page. */
export type Section = "turns" | "code" | "findings" | "eval" | "bench" | "codeeval" | "compare" | "pairs" | "training";

/** One run in the list of runs ("/api/runs"). */
export interface Row {
  id: string;
  kind: Kind;
  name: string;
  path: string;
  status: Status;
  started_at?: string;
  duration_s?: number;
  cost_usd: number | null;
  models: string[];
  headline: string;
  score?: number;
  problem?: string;
  parent?: string;
  updated_at?: string;
}

/** The list of runs. */
export interface Rows {
  runs: Row[];
  truncated: boolean;
}

/** One named value about a run. */
export interface NamedFact {
  name: string;
  value: string;
}

/** The header of a run: resource "". */
export interface Run extends Row {
  live: boolean;
  sections: Section[];
  children: Row[];
  facts: NamedFact[];
  hint?: string;
  omitted?: string;
}

/** What an error answer says. */
export interface Problem {
  status: number;
  message: string;
  hint?: string;
}

/**
 * A trace: the review's own, or of one rollout (BASE is "" or "rollout/17/"). Resources: BASE + "trace",
 * BASE + "trace/FROM" (only events from index FROM on), BASE + "turn/SEQ", BASE + "prompt/SEQ", BASE + "dispatch/SEQ".
 * The columns hold one entry an event, in order; kind is one letter an event:
 * s start, r root, c cell, d dispatch, g gate, m compact, e end.
 */
export interface Trace {
  total: number;
  from: number;
  complete: boolean;
  nodes: string[];
  started_at: string;
  kind: string;
  seq0: number;
  turn: number[];
  node: number[];
  at_ms: number[];
  seconds: number[];
  cost_usd: (number | null)[];
  /** Bits: 1 error, 2 cached, 4 redacted, 8 stopped by a limit, 16 synthesis, 32 repeated error. */
  flags: number[];
  label: string[];
  tokens_in: number[];
  tokens_out: number[];
  end?: TraceEnd;
  problem?: string;
}

export interface TraceEnd {
  status: string;
  stop_reason: string;
}

/** One reply of the root and what it led to: BASE + "turn/SEQ". */
export interface Turn {
  seq: number;
  node: string;
  turn: number;
  at: string;
  model: string;
  /** What was new in the prompt. */
  message: string;
  text: string;
  reasoning?: string;
  error?: string;
  finish?: string;
  synthesis?: boolean;
  usage: Usage;
  seconds: number;
  cells: Cell[];
  gates: Gate[];
  compact?: Compact;
  dispatches: DispatchRow[];
  previous?: number;
  next?: number;
}

export interface Compact {
  from: number;
  to: number;
  digest: string;
}

export interface Usage {
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
}

export interface Cell {
  seq: number;
  index: number;
  code: string;
  output: string;
  output_total: number;
  error_type?: string;
  error?: string;
  stop?: string;
  steps: number;
  seconds: number;
  variables?: Variable[];
  /** With those that are not listed; absent: all are. */
  variables_total?: number;
  /** The seqs of those that it asked for. */
  dispatches: number[];
}

export interface Variable {
  name: string;
  type: string;
  value: string;
  change: "new" | "changed" | "deleted";
}

export interface Gate {
  seq: number;
  coverage: number;
  wanted: number;
  count: number;
}

export interface DispatchRow {
  seq: number;
  key: string;
  model: string;
  files: string[];
  label: string;
  error?: string;
  cached: boolean;
  seconds: number;
  usage: Usage;
}

/** One prompt sent to a worker, and its reply: BASE + "dispatch/SEQ". */
export interface Dispatch extends DispatchRow {
  prompt: string;
  reply: string;
  redacted: number;
  /** The seq of the turn it belongs to. */
  turn: number;
  hash: string;
}

/** The exact prompt of a turn: BASE + "prompt/SEQ". */
export interface Prompt {
  messages: PromptMessage[];
  /** The first message that the turn before had not. */
  new_from: number;
  /** False for a trace that has not kept its system prompt. */
  exact: boolean;
}

export interface PromptMessage {
  role: "system" | "user" | "assistant";
  text: string;
  /** The turn that it opens, or whose reply it is; 0 for the system prompt. */
  turn: number;
  /** The arguments of an assistant's tool calls, as JSON. */
  calls?: string[];
}

/** A review's codebase: "files". */
export interface Files {
  files: FileRow[];
  skipped: SkippedFile[];
  lines_total: number;
  lines_dispatched: number;
  /** Why not all files of the codebase are listed. */
  partial?: string;
}

export interface SkippedFile {
  path: string;
  why: string;
}

export interface FileRow {
  path: string;
  language: string;
  /** 0 also where it is unknown: see Files.partial. */
  lines: number;
  /** Lines that reached a worker. */
  dispatched: number;
  findings: number;
  /** The worst severity among its findings, "" without one. */
  worst: string;
}

/** One file: "file/PATH". */
export interface File {
  path: string;
  language: string;
  lines: number;
  text: string | null;
  /** Why there is no text: changed since the run, not kept, too large. */
  why?: string;
  /** Ranges of lines that reached a worker: sorted, from 1, both ends included. */
  covered: [number, number][];
  findings: Finding[];
  /** The files before and behind it, by path. */
  previous?: string;
  next?: string;
}

/** "findings" */
export interface Findings {
  findings: Finding[];
  ungrounded: Finding[];
  refuted: Finding[];
  suppressed: Finding[];
  /** The root's own document, in Markdown. */
  analysis: string;
  /** The lines around findings, by id; only where the text that was reviewed can be had. */
  snippets: { [id: string]: Snippet };
  /** Where the dispatches that findings name stand in the trace, by key. */
  dispatches: { [key: string]: DispatchPlace };
  verification?: SecondLook;
  /** Findings left out because a baseline report has them. */
  known?: number;
  /** What the models were asked for and what that cost, by role. */
  bill: BillRow[];
  /** A list is longer in report.json. */
  truncated?: boolean;
}

export interface BillRow {
  role: string;
  model: string;
  calls: number;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  cost_usd: number | null;
}

/** Where a dispatch stands in the trace. */
export interface DispatchPlace {
  turn: number;
  seq: number;
}

/** What the second look at all findings came to. */
export interface SecondLook {
  verifier: string;
  stands: number;
  unsure: number;
  unverified: number;
  refuted: number;
  claims: ClaimTally;
  contradicted: Contradicted[];
}

export interface ClaimTally {
  supported: number;
  contradicted: number;
  not_checkable: number;
}

/** A sentence of the root's document that the codebase shows to be wrong. */
export interface Contradicted {
  sentence: string;
  why: string;
  proof?: Proof;
}

/** Code that stands in the codebase and shows a claim to be wrong. */
export interface Proof {
  file: string;
  line: number;
  quote: string;
}

/** What the second look at one finding came to. */
export interface Verification {
  status: "stands" | "unsure" | "unverified" | "refuted";
  reason?: string;
  by?: string;
  /** The key of its dispatch. */
  source?: string;
  claimed_confidence?: number;
  claims?: ClaimTally;
  execution?: Execution;
}

/** A check that ran against a function of the repository. */
export interface Execution {
  function: string;
  file: string;
  line: number;
  check: string;
}

export interface Snippet {
  from: number;
  text: string;
}

export interface Finding {
  id: string;
  title: string;
  severity: string;
  category: string;
  cwe: string;
  file: string;
  line: number;
  end_line: number;
  evidence: string;
  explanation: string;
  suggestion: string;
  confidence: number;
  grounded: boolean;
  sources: string[];
  /** Why it is ungrounded, refuted or suppressed. */
  why?: string;
  /** Who suppressed it: "comment" or "file". */
  by?: string;
  verification?: Verification;
  /** What refutes it. */
  proof?: Proof;
}

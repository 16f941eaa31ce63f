package runfile

import (
	"time"

	"github.com/deeprepo/deeprepo/internal/stats"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Bench is bench.json: everything that the tables show.
type Bench struct {
	// Rows has one element a configuration, in the order of the file.
	Rows      []BenchRow        `json:"rows"`
	Target    string            `json:"target,omitempty"`
	Repeats   int               `json:"repeats"`
	Codebases []BenchCodebase   `json:"codebases"`
	Gap       []BenchGap        `json:"behaviour_gap,omitzero"`
	Economics []BenchProjection `json:"economics,omitzero"`
	Tests     []BenchTest       `json:"tests,omitzero"`
	// SpentUSD is what all runs cost, those that do not count included; nil when a price is unknown.
	SpentUSD *float64 `json:"spent_usd"`
	// AtMostUSD is what they can have cost: more than SpentUSD where calls were not settled, or were in flight at a crash.
	AtMostUSD *float64  `json:"at_most_usd"`
	StartedAt time.Time `json:"started_at,omitzero"`
	Version   string    `json:"version"`
	// Rules say how the derived figures are made.
	Rules []string `json:"rules"`
	Notes []string `json:"notes"`
}

// BenchRow is a configuration over all its runs that are done. Counts are sums over them; nil stands for no run, or for a
// price that is unknown.
type BenchRow struct {
	Config   string `json:"config"`
	Root     string `json:"root"`
	Worker   string `json:"worker"`
	Strategy string `json:"strategy"`

	CostUSD *float64 `json:"cost_usd"`
	// AtMostUSD is what the runs can have cost: more than CostUSD where calls were not settled.
	AtMostUSD       *float64 `json:"at_most_usd"`
	RootCostUSD     *float64 `json:"root_cost_usd"`
	WorkerCostUSD   *float64 `json:"worker_cost_usd"`
	Dispatches      *int     `json:"dispatches"`
	FilesDispatched *int     `json:"files_dispatched"`
	// Coverage is the share of all lines that reached a worker (with strategy single, the root).
	Coverage *float64 `json:"coverage"`
	Turns    *int     `json:"turns"`
	Findings *int     `json:"findings"`
	// Truth is nil where no codebase has one.
	Truth *BenchTruth `json:"truth"`
	// Change is nil where no change was reviewed. Truth counts its new findings and defects, too.
	Change *BenchChange `json:"change,omitempty"`
	// Unique is how many deep bugs no other configuration found; where there is no truth, how many grounded findings of
	// severity high or critical no other reported. Nil where no other has a run that is done.
	Unique *int `json:"unique"`
	// Grade is by Quality, GradeBy says by which rule: "truth" or "no truth".
	Grade   string   `json:"grade"`
	Quality *float64 `json:"quality"`
	GradeBy string   `json:"grade_by"`

	Done  int           `json:"runs_done"`
	Total int           `json:"runs_total"`
	Runs  []BenchReview `json:"runs"`
}

// BenchReview is one review of one codebase by one configuration, in figures. Only one that is done counts in the tables.
type BenchReview struct {
	Config   string `json:"config"`
	Codebase string `json:"codebase"`
	Repeat   int    `json:"repeat"` // from 1
	Dir      string `json:"dir"`    // below the bench's directory
	State    string `json:"state"`
	// Stop is why it ended, Error what went wrong when it is not done.
	Stop  trace.StopReason `json:"stop_reason,omitempty"`
	Error string           `json:"error,omitempty"`

	// Costs are nil when a price is unknown.
	CostUSD *float64 `json:"cost_usd"`
	// AtMostUSD is what the run can have cost: more than CostUSD where calls were not settled.
	AtMostUSD     *float64 `json:"at_most_usd"`
	RootCostUSD   *float64 `json:"root_cost_usd"`
	WorkerCostUSD *float64 `json:"worker_cost_usd"`
	Dispatches    int      `json:"dispatches"`
	// DispatchErrors is how many of them got no reply.
	DispatchErrors int `json:"dispatch_errors"`
	// CellErrors is how many cells ended in an error, RepeatedErrors how many in that of the cell before.
	CellErrors      int     `json:"cell_errors"`
	RepeatedErrors  int     `json:"repeated_errors"`
	FilesDispatched int     `json:"files_dispatched"`
	Lines           int     `json:"lines"`
	LinesDispatched int     `json:"lines_dispatched"`
	Coverage        float64 `json:"coverage"`
	// Groups is how many of GroupsTotal top-level directories something was read of.
	Groups      int `json:"groups"`
	GroupsTotal int `json:"groups_total"`
	Turns       int `json:"turns"`
	// WorkerTurns is how many turns used workers, LastWorkerTurn the last of them (0: none).
	WorkerTurns    int `json:"worker_turns"`
	LastWorkerTurn int `json:"last_worker_turn"`
	// Answered says that the root handed in an answer of its own accord.
	Answered   bool    `json:"answered"`
	Findings   int     `json:"findings"`
	Ungrounded int     `json:"ungrounded"`
	DurationS  float64 `json:"duration_s"`
	// Truth is nil where the codebase has none.
	Truth *BenchRunTruth `json:"truth,omitempty"`
	// Change is nil where no change was reviewed.
	Change *BenchChange `json:"change,omitempty"`
}

// BenchChange is what a configuration found in changes, by the findings that it calls new.
type BenchChange struct {
	// Faulty and Clean are how many changes bring defects in, and how many none.
	Faulty int `json:"faulty"`
	Clean  int `json:"clean"`
	// New is how many defects they bring in.
	New int `json:"new"`
	// Near counts a finding as right that lies within 3 lines of a defect of its kind, Exact one whose lines overlap with it.
	Near  BenchMatched `json:"near"`
	Exact BenchMatched `json:"exact"`
	// CleanFindings is how many new findings clean changes were given: false, all of them.
	CleanFindings int `json:"clean_findings"`
	// FixedTotal is how many defects the changes mend, FixedFound how many of them are among what is called fixed.
	FixedTotal int `json:"fixed_total"`
	FixedFound int `json:"fixed_found"`
}

// BenchMatched counts by one way of matching.
type BenchMatched struct {
	Found int `json:"found"`
	False int `json:"false"`
}

// BenchCodebase is one codebase of a bench, as the manifest records it.
type BenchCodebase struct {
	Name string `json:"name"`
	// Path is what is reviewed.
	Path string `json:"path"`
	// Hash is its content's.
	Hash string `json:"hash"`
	// Dir is where its truth lies, below the bench's directory.
	Dir string `json:"dir"`
	// Truth says whether there is one.
	Truth bool `json:"truth"`
	// Base is the codebase before the change, where a change is reviewed.
	Base string `json:"base,omitempty"`
	// Task is the generated task's ID, "" for a codebase that was not generated.
	Task  string `json:"task,omitempty"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

// BenchProjection is what a configuration's mean run costs, and what it would cost with ten times the calls:
//
//	worker(10 n) = 10 worker(n)
//	root(10 n)   = root(n) + g 9 n
//
// where n is the number of calls and g the root's measured growth per call: the slope of root cost over calls, by least
// squares within each codebase, over all runs of the same root model that are done. Without two different numbers of
// calls on one codebase, or with a slope below 0, the root's cost is taken as unchanged, which is a lower bound.
type BenchProjection struct {
	Config string `json:"config"`
	// Now and Then are the mean run, and the one with ten times the calls.
	Now  BenchCosts `json:"now"`
	Then BenchCosts `json:"then"`
	// Growth is g in USD per call; nil where it could not be measured.
	Growth *float64 `json:"root_growth_per_call_usd"`
	// GrowthRuns is how many runs g was measured over.
	GrowthRuns int `json:"growth_runs"`
}

// BenchCosts are those of one run; nil is unknown.
type BenchCosts struct {
	Calls     float64  `json:"calls"`
	WorkerUSD *float64 `json:"worker_usd"`
	RootUSD   *float64 `json:"root_usd"`
	TotalUSD  *float64 `json:"total_usd"`
	// WorkerShare is the workers' part of the total; nil when that is 0.
	WorkerShare *float64 `json:"worker_share"`
}

// BenchGap is what lies between a configuration's conduct and the target's.
type BenchGap struct {
	Config   string         `json:"config"`
	Measures []BenchMeasure `json:"measures"`
}

// BenchMeasure is one behaviour: means over runs that are done, except unique bugs, which are a sum. Nil is not known.
type BenchMeasure struct {
	Name   string   `json:"name"`
	Value  *float64 `json:"value"`
	Of     *float64 `json:"of,omitempty"` // what Value is a part of
	Target *float64 `json:"target"`
	// TargetOf is what Target is a part of.
	TargetOf *float64 `json:"target_of,omitempty"`
	// Ratio is Target over Value; nil when either is not known or Value is 0.
	Ratio *float64 `json:"ratio"`
}

// BenchRunTruth is a run's findings against the truth.
type BenchRunTruth struct {
	Total int `json:"total"`
	Found int `json:"found"`
	// False are the findings that fit no defect, Decoys those of them that fit a decoy; Duplicates fit a defect for
	// which another one counts.
	False      int `json:"false"`
	Decoys     int `json:"decoys"`
	Duplicates int `json:"duplicates"`
	DeepTotal  int `json:"deep_total"`
	DeepFound  int `json:"deep_found"`
}

// BenchTest compares the recall of two configurations over the codebases that both have a run on.
type BenchTest struct {
	A string `json:"a"`
	B string `json:"b"`
	// Comparison has A before and B after.
	stats.Comparison
	// PHolm is P adjusted for having made several comparisons (Holm 1979).
	PHolm float64 `json:"p_holm"`
	// Words say what it comes to.
	Words string `json:"words"`
}

// BenchTruth is a configuration's findings against the truth, over the codebases that have one.
type BenchTruth struct {
	Total int `json:"total"`
	Found int `json:"found"`
	// Precision is Found of Found + False, nil without either; Recall Found of Total.
	Precision   *float64       `json:"precision"`
	Recall      *float64       `json:"recall"`
	PrecisionCI stats.Interval `json:"precision_ci95"`
	RecallCI    stats.Interval `json:"recall_ci95"`
	// F2 weighs recall twice as much as precision.
	F2         *float64 `json:"f2"`
	Unique     *int     `json:"unique"` // nil where there was nothing to compare with
	False      int      `json:"false"`
	Decoys     int      `json:"decoys"`
	Duplicates int      `json:"duplicates"`
	DeepTotal  int      `json:"deep_total"`
	DeepFound  int      `json:"deep_found"`
}

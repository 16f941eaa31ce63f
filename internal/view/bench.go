package view

import (
	"time"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// What of a bench is shown at most.
const (
	mostConfigs = 200
	mostReviews = 20_000
)

// BenchDoc is the document "bench": bench.json, as far as a page shows it. Counts are sums over a configuration's runs that
// are done; null is not known.
type BenchDoc struct {
	Rows      []BenchRow        `json:"rows"`
	Target    string            `json:"target,omitempty"`
	Repeats   int               `json:"repeats"`
	Codebases []BenchCodebase   `json:"codebases"`
	Gap       []BenchGap        `json:"behaviour_gap"`
	Economics []BenchProjection `json:"economics"`
	Tests     []BenchTest       `json:"tests"`
	SpentUSD  *float64          `json:"spent_usd"`
	StartedAt time.Time         `json:"started_at,omitzero"`
	Version   string            `json:"version"`
	Rules     []string          `json:"rules"` // how the figures are made
	Notes     []string          `json:"notes"` // what must be known of these runs
}

// BenchRow is one configuration.
type BenchRow struct {
	Config          string        `json:"config"`
	Root            string        `json:"root"`
	Worker          string        `json:"worker"`
	Strategy        string        `json:"strategy"`
	CostUSD         *float64      `json:"cost_usd"`
	RootCostUSD     *float64      `json:"root_cost_usd"`
	WorkerCostUSD   *float64      `json:"worker_cost_usd"`
	Dispatches      *int          `json:"dispatches"`
	FilesDispatched *int          `json:"files_dispatched"`
	Coverage        *float64      `json:"coverage"`
	Turns           *int          `json:"turns"`
	Findings        *int          `json:"findings"`
	Truth           *BenchTruth   `json:"truth"`
	Unique          *int          `json:"unique"`
	Grade           string        `json:"grade"`
	Quality         *float64      `json:"quality"`
	GradeBy         string        `json:"grade_by"`
	Done            int           `json:"runs_done"`
	Total           int           `json:"runs_total"`
	Runs            []BenchReview `json:"runs"`
}

// BenchTruth is what a configuration found of what there is.
type BenchTruth struct {
	Total       int      `json:"total"`
	Found       int      `json:"found"`
	Precision   *float64 `json:"precision"`
	Recall      *float64 `json:"recall"`
	PrecisionCI Interval `json:"precision_ci95"`
	RecallCI    Interval `json:"recall_ci95"`
	F2          *float64 `json:"f2"`
	Unique      *int     `json:"unique"`
	False       int      `json:"false"`
	Decoys      int      `json:"decoys"`
	Duplicates  int      `json:"duplicates"`
	DeepTotal   int      `json:"deep_total"`
	DeepFound   int      `json:"deep_found"`
}

// Interval is an interval as package stats writes it. Lo and Hi are null where there is none, with Why.
type Interval struct {
	Lo     *float64 `json:"lo"`
	Hi     *float64 `json:"hi"`
	Level  float64  `json:"level"`
	Method string   `json:"method,omitempty"`
	Why    string   `json:"why,omitempty"`
}

// BenchReview is one review of one codebase.
type BenchReview struct {
	Config          string   `json:"config"`
	Codebase        string   `json:"codebase"`
	Repeat          int      `json:"repeat"`
	Dir             string   `json:"dir"` // below the bench's directory
	State           string   `json:"state"`
	Stop            string   `json:"stop_reason,omitempty"`
	Error           string   `json:"error,omitempty"`
	CostUSD         *float64 `json:"cost_usd"`
	Dispatches      int      `json:"dispatches"`
	DispatchErrors  int      `json:"dispatch_errors"`
	CellErrors      int      `json:"cell_errors"`
	RepeatedErrors  int      `json:"repeated_errors"`
	FilesDispatched int      `json:"files_dispatched"`
	Lines           int      `json:"lines"`
	Coverage        float64  `json:"coverage"`
	Turns           int      `json:"turns"`
	Answered        bool     `json:"answered"`
	Findings        int      `json:"findings"`
	Ungrounded      int      `json:"ungrounded"`
	DurationS       float64  `json:"duration_s"`
	Truth           *struct {
		Total int `json:"total"`
		Found int `json:"found"`
		False int `json:"false"`
	} `json:"truth"`
}

// BenchCodebase is one of the codebases.
type BenchCodebase struct {
	Name  string `json:"name"`
	Truth bool   `json:"truth"`
	Files int    `json:"files"`
	Lines int    `json:"lines"`
}

// BenchGap is what lies between a configuration's conduct and the target's.
type BenchGap struct {
	Config   string `json:"config"`
	Measures []struct {
		Name     string   `json:"name"`
		Value    *float64 `json:"value"`
		Of       *float64 `json:"of,omitempty"`
		Target   *float64 `json:"target"`
		TargetOf *float64 `json:"target_of,omitempty"`
		Ratio    *float64 `json:"ratio"`
	} `json:"measures"`
}

// BenchProjection is what a run costs, and would cost with ten times the calls.
type BenchProjection struct {
	Config     string     `json:"config"`
	Now        BenchCosts `json:"now"`
	Then       BenchCosts `json:"then"`
	Growth     *float64   `json:"root_growth_per_call_usd"`
	GrowthRuns int        `json:"growth_runs"`
}

// BenchCosts are those of one run.
type BenchCosts struct {
	Calls       float64  `json:"calls"`
	WorkerUSD   *float64 `json:"worker_usd"`
	RootUSD     *float64 `json:"root_usd"`
	TotalUSD    *float64 `json:"total_usd"`
	WorkerShare *float64 `json:"worker_share"`
}

// BenchTest compares the recall of two configurations over codebases.
type BenchTest struct {
	A      string   `json:"a"`
	B      string   `json:"b"`
	Tasks  int      `json:"tasks"`
	Before float64  `json:"before"` // A's
	After  float64  `json:"after"`  // B's
	Diff   float64  `json:"diff"`
	CI     Interval `json:"ci"`
	P      float64  `json:"p"`
	PHolm  float64  `json:"p_holm"`
	Words  string   `json:"words"`
}

// getBench answers "bench".
func getBench(r *Run, rest string) (any, error) {
	if rest != "" {
		return nil, notFound("a bench has no %q", termtext.CutWith(rest, 80, "…"))
	}
	var doc BenchDoc
	if err := r.readJSON(benchName, &doc); err != nil {
		return nil, err
	}
	if len(doc.Rows) > mostConfigs {
		return nil, &Error{Status: 413, Message: "the bench has too many configurations for a page", Hint: "look at bench.md"}
	}
	left := mostReviews
	for i := range doc.Rows {
		row := &doc.Rows[i]
		row.Runs = row.Runs[:min(len(row.Runs), left)]
		left -= len(row.Runs)
		row.Runs = neverNull(row.Runs)
	}
	doc.Rows, doc.Codebases, doc.Gap, doc.Economics, doc.Tests = neverNull(doc.Rows), neverNull(doc.Codebases), neverNull(doc.Gap), neverNull(doc.Economics), neverNull(doc.Tests)
	doc.Rules, doc.Notes = neverNull(doc.Rules), neverNull(doc.Notes)
	return doc, nil
}

// neverNull turns no list into an empty one, which JSON writes as [].
func neverNull[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

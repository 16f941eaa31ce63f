package runfile

// RescoredFile is one file: what it says, and what its samples score.
type RescoredFile struct {
	Path  string `json:"path"`
	Form  string `json:"form"`
	Model string `json:"model,omitempty"`
	Tasks int    `json:"tasks"`
	// Total counts the samples. ReportedPassed is null when the file records no verdicts.
	Total          int  `json:"total"`
	ReportedPassed *int `json:"reported_passed"`
	RescoredPassed int  `json:"rescored_passed"`
	// Empty completions, and how many of them the file says have passed.
	Empty               int `json:"empty"`
	EmptyReportedPassed int `json:"empty_reported_passed"`
	// Truncated samples are not whole in the file; TruncatedAt is the number of characters at which all were cut, 0 when
	// they were not all, and TruncatedWhy the rule by which they were recognised.
	Truncated    int    `json:"truncated"`
	TruncatedAt  int    `json:"truncated_at,omitempty"`
	TruncatedWhy string `json:"truncated_why,omitempty"`
	// UpperBound is what could have passed at most: RescoredPassed, the truncated that did not pass, and what has no
	// verdict.
	UpperBound int `json:"upper_bound"`
	// Unjudged samples have no text, or the sandbox failed on them.
	Unjudged int `json:"unjudged"`
	// RunsWithoutTests counts the programs that run to their end when no test is called; null when that was not tried.
	RunsWithoutTests *int `json:"runs_without_tests"`
	// Agreement is over samples that are whole and have verdicts on both sides.
	Agreement Agreement `json:"agreement"`
	// ReportedCI95 and RescoredCI95 are intervals of the share that passed, by tasks.
	ReportedCI95 *[2]float64    `json:"reported_ci95"`
	RescoredCI95 *[2]float64    `json:"rescored_ci95"`
	Verdicts     map[string]int `json:"verdicts"`
	// Passed are the tasks of which a sample passed, in natural order.
	Passed    []string `json:"passed_tasks"`
	Diagnosis []string `json:"diagnosis"`
}

// Agreement is how often the recorded verdict is the one that a way of judging gives.
type Agreement struct {
	Rows         int  `json:"rows"`
	WithTests    int  `json:"with_tests"`
	WithoutTests *int `json:"without_tests"`
}

// Rescored is what rescoring found; with the files, what code rescore --json prints.
type Rescored struct {
	Dataset string         `json:"dataset"`
	Hash    string         `json:"dataset_sha256"`
	Files   []RescoredFile `json:"files"`
	Control Controls       `json:"controls"`
	// Programs is how many different programs were judged; equal ones share a verdict.
	Programs          int     `json:"programs"`
	Seconds           float64 `json:"seconds"`
	ProgramsPerSecond float64 `json:"programs_per_second"`
}

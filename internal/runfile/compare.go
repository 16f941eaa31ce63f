package runfile

// Flip is a task that changed in a comparison, with what every condition made of it: a line of flips.jsonl. It is for
// readers of the comparison who do not have the result files.
type Flip struct {
	TaskID string     `json:"task_id"`
	Sides  []FlipSide `json:"sides"` // in the order of the conditions that have the task
}

// FlipSide is what one condition made of a task.
type FlipSide struct {
	Condition string       `json:"condition"`
	Samples   []FlipSample `json:"samples"`
	// Total is how many samples there were: only the first of them are kept.
	Total int `json:"total"`
}

// FlipSample is one program and its verdict.
type FlipSample struct {
	Sample int    `json:"sample"`
	Text   string `json:"text"`
	Kind   string `json:"kind"`
	// Passed is the verdict that counts, null where there is none, and Result is it in the file's words. Recorded is what
	// the file said where the tests were run again, null where they were not.
	Passed   *bool  `json:"passed"`
	Result   string `json:"result"`
	Recorded *bool  `json:"recorded"`
	// Cut says that Text is not all that was generated.
	Cut bool `json:"cut"`
}

// Published sets the reference's printed table beside what its own files say, and beside what the samples score.
type Published struct {
	Rows []PublishedRow `json:"rows"`
	// Errors are what the printed report gets wrong about its own files, whatever those are worth.
	Errors []string `json:"errors"`
	// Conclusion is what is left of it.
	Conclusion string `json:"conclusion,omitempty"`
}

// PublishedRow is one row of the table. Numbers that the files do not give are null.
type PublishedRow struct {
	Number    int     `json:"number"`
	Condition string  `json:"condition"`
	Size      float64 `json:"size"`
	// Printed are the cells as they were published.
	PrintedPassed   int    `json:"printed_passed"`
	PrintedPassAt1  string `json:"printed_pass_at_1"`
	PrintedDelta    string `json:"printed_delta"`
	PrintedRelative string `json:"printed_relative"`
	// RecordedPassed, DeltaPP and RelativePct are from the file's own counts, against Base, from numbers that were not
	// rounded.
	RecordedPassed *int     `json:"recorded_passed"`
	Base           string   `json:"base,omitempty"`
	DeltaPP        *float64 `json:"delta_pp"`
	RelativePct    *float64 `json:"relative_pct"`
	// RescoredPassed of RescoredTotal samples pass when the tests are run; UpperBound could have at most.
	RescoredPassed *int        `json:"rescored_passed"`
	RescoredTotal  int         `json:"rescored_total,omitempty"`
	RescoredCI95   *[2]float64 `json:"rescored_ci95"`
	UpperBound     *int        `json:"upper_bound"`
	Empty          int         `json:"empty"`
	Truncated      int         `json:"truncated"`
}

// CompareReport is what a comparison found; its JSON is what code compare --json prints. Rates are shares between 0 and 1, unless a name
// ends in _pp: those are percentage points, and so are the intervals beside them.
type CompareReport struct {
	// Verdicts says whose: "recorded" by the files, or "rescored" by running the tests now.
	Verdicts string `json:"verdicts"`
	// Alarm says why these verdicts should not be believed; "" when nothing is known against them.
	Alarm       string      `json:"alarm,omitempty"`
	Conditions  []Condition `json:"conditions"`
	Comparisons []Compared  `json:"comparisons"`
	// Trend is over the first base and what is compared with it; null without sizes. FurtherTrends are those of other
	// bases.
	Trend         *CompareTrend  `json:"trend"`
	FurtherTrends []CompareTrend `json:"further_trends,omitzero"`
	Notes         []string       `json:"notes,omitzero"`
	// Seed and Resamples are the bootstrap's.
	Seed      uint64 `json:"seed"`
	Resamples int    `json:"resamples"`
}

// Condition is one condition.
type Condition struct {
	Name  string   `json:"name"`
	Path  string   `json:"path"`
	Form  string   `json:"form"`
	Model string   `json:"model,omitempty"`
	Size  *float64 `json:"size"`
	// Base is what it is compared with, "" for a base.
	Base     string `json:"base,omitempty"`
	Tasks    int    `json:"tasks"`
	Samples  int    `json:"samples"`
	Passed   int    `json:"passed"`
	Judged   int    `json:"judged"`
	Unjudged int    `json:"unjudged"`
	// Empty completions; EmptyPassed of them are said to have passed. Truncated ones are not whole in the file.
	Empty       int         `json:"empty"`
	EmptyPassed int         `json:"empty_passed"`
	Truncated   int         `json:"truncated"`
	PassAt1     float64     `json:"pass_at_1"`
	CI95        *[2]float64 `json:"ci95"`
	CIMethod    string      `json:"ci_method"`
	Warnings    []string    `json:"warnings,omitzero"`
}

// Compared is two conditions on the tasks that both have.
type Compared struct {
	Base  string `json:"base"`
	Other string `json:"other"`
	Tasks int    `json:"tasks"`
	// BothPass and BothFail are tasks where all samples of both sides did; Unchanged are tasks of several samples with the
	// same share of passes, neither none nor all.
	BothPass  int `json:"both_pass"`
	BothFail  int `json:"both_fail"`
	Unchanged int `json:"unchanged,omitempty"`
	// Improved and Regressed are all tasks whose share of passes rose or fell, in natural order.
	Improved  []string `json:"improved"`
	Regressed []string `json:"regressed"`
	Net       int      `json:"net"`
	// EmptyWins are tasks that changed although the side that did better had generated nothing on them.
	EmptyWins int `json:"empty_wins,omitempty"`
	// BasePassAt1 and OtherPassAt1 are over the compared tasks.
	BasePassAt1  float64  `json:"base_pass_at_1"`
	OtherPassAt1 float64  `json:"other_pass_at_1"`
	DeltaPP      float64  `json:"delta_pp"`
	RelativePct  *float64 `json:"relative_pct"` // null where the base has no pass
	// CI95 is the paired bootstrap's over tasks, WaldCI95 the adjusted Wald interval of Bonett and Price, which several
	// samples a task do not have. Both are in percentage points.
	CI95     *[2]float64 `json:"ci95"`
	CIMethod string      `json:"ci_method"`
	WaldCI95 *[2]float64 `json:"ci95_bonett_price,omitempty"`
	// McNemarP is exact and two-sided; null with several samples a task, where the sign-flip permutation test is made.
	// Holm's adjustment is over all comparisons of the report.
	McNemarP     *float64 `json:"mcnemar_p"`
	McNemarPHolm *float64 `json:"mcnemar_p_holm"`
	Test         string   `json:"test"`
	P            float64  `json:"p"`
	PHolm        float64  `json:"p_holm"`
	// MinimumDetectablePP is the change that these tasks would show to be significant 80 times in 100.
	MinimumDetectablePP *float64 `json:"minimum_detectable_pp"`
	// OnlyBase, OnlyOther and Unjudged are tasks that were left out.
	OnlyBase  []string `json:"only_base,omitzero"`
	OnlyOther []string `json:"only_other,omitzero"`
	Unjudged  []string `json:"unjudged,omitzero"`
	// Words say what it is worth.
	Words string `json:"words"`
}

// CompareTrend is the line through a base and what is compared with it.
type CompareTrend struct {
	Base       string    `json:"base"`
	Conditions []string  `json:"conditions"`
	Sizes      []float64 `json:"sizes"`
	Unit       string    `json:"unit"`
	Per        float64   `json:"per"`
	Tasks      int       `json:"tasks"`
	// SlopePP is the change in pass@1 for each Per of size, At0 the line's pass@1 without any.
	SlopePP float64     `json:"slope_pp"`
	At0     float64     `json:"at_0"`
	CI95    *[2]float64 `json:"ci95"`
	P       float64     `json:"p"`
	Words   string      `json:"words"`
}

// Comparison is compare.json: a comparison of recorded verdicts, of rescored ones, or of both. The first part is of the
// verdicts that count: the rescored ones where there are any.
type Comparison struct {
	CompareReport
	// Recorded is the comparison of what the files record; nil when CompareReport is that already.
	Recorded *CompareReport `json:"recorded,omitempty"`
	// Rescored says file by file what was reported and what the samples score; nil without a rescoring.
	Rescored *Rescored `json:"rescored,omitempty"`
	// Published is the reference's table beside its own files; nil for other files.
	Published *Published `json:"published,omitempty"`
}

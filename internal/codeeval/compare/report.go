package compare

import "github.com/deeprepo/deeprepo/internal/stats"

// Report is what Run found; its JSON is what code compare --json prints. Rates are shares between 0 and 1, unless a name
// ends in _pp: those are percentage points, and so are the intervals beside them.
type Report struct {
	// Verdicts says whose: "recorded" by the files, or "rescored" by running the tests now.
	Verdicts string `json:"verdicts"`
	// Alarm says why these verdicts should not be believed; "" when nothing is known against them.
	Alarm       string       `json:"alarm,omitempty"`
	Conditions  []Row        `json:"conditions"`
	Comparisons []Comparison `json:"comparisons"`
	// Trend is over the first base and what is compared with it; null without sizes. FurtherTrends are those of other
	// bases.
	Trend         *Trend   `json:"trend"`
	FurtherTrends []Trend  `json:"further_trends,omitempty"`
	Notes         []string `json:"notes,omitempty"`
	// Seed and Resamples are the bootstrap's.
	Seed      uint64 `json:"seed"`
	Resamples int    `json:"resamples"`
}

// Row is one condition.
type Row struct {
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
	Warnings    []string    `json:"warnings,omitempty"`
}

// Tests of a Comparison.
const (
	TestMcNemar  = "mcnemar-exact"
	TestSignFlip = "sign-flip"
)

// Comparison is two conditions on the tasks that both have.
type Comparison struct {
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
	OnlyBase  []string `json:"only_base,omitempty"`
	OnlyOther []string `json:"only_other,omitempty"`
	Unjudged  []string `json:"unjudged,omitempty"`
	// Words state the conclusion.
	Words string `json:"words"`
}

// Trend is the line through a base and what is compared with it.
type Trend struct {
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

func ends(v stats.Interval, scale float64) *[2]float64 {
	if !v.OK() {
		return nil
	}
	return &[2]float64{scale * v.Lo, scale * v.Hi}
}

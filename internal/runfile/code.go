package runfile

import (
	"fmt"
	"math"
	"strings"

	"github.com/deeprepo/deeprepo/internal/money"
)

// Tokens are what calls of models consumed, as providers bill them. InputTokens includes CachedTokens (read from the
// provider's prompt cache) and CacheWriteTokens (written to it); OutputTokens includes reasoning.
type Tokens struct {
	InputTokens      int64 `json:"input_tokens"`
	CachedTokens     int64 `json:"cached_tokens,omitempty"`
	CacheWriteTokens int64 `json:"cache_write_tokens,omitempty"`
	OutputTokens     int64 `json:"output_tokens"`
}

// mostTokens is more than any request or reply of any model holds.
const mostTokens = 100_000_000

// Plausible reports whether a provider can have counted one call like this: no count is negative, or beyond what any model
// takes or writes. Other counts are no basis for a bill; the usage is then not known.
func (t Tokens) Plausible() bool {
	return min(t.InputTokens, t.CachedTokens, t.CacheWriteTokens, t.OutputTokens) >= 0 &&
		max(t.InputTokens, t.CachedTokens, t.CacheWriteTokens, t.OutputTokens) <= mostTokens
}

// Add returns the sum of t and u. No count overflows.
func (t Tokens) Add(u Tokens) Tokens {
	return Tokens{
		InputTokens:      addTokens(t.InputTokens, u.InputTokens),
		CachedTokens:     addTokens(t.CachedTokens, u.CachedTokens),
		CacheWriteTokens: addTokens(t.CacheWriteTokens, u.CacheWriteTokens),
		OutputTokens:     addTokens(t.OutputTokens, u.OutputTokens),
	}
}

// addTokens is a+b, held at the largest number instead of overflowing; a negative count adds nothing.
func addTokens(a, b int64) int64 {
	a, b = max(a, 0), max(b, 0)
	return a + min(b, math.MaxInt64-a)
}

// Controls are what the gate found.
type Controls struct {
	Canonical CanonicalControl `json:"canonical"`
	Null      NullControl      `json:"null"`
	// Seconds is what they took, and Cached how many of their programs were not run because an earlier gate had run the
	// same ones in the same sandbox.
	Seconds float64 `json:"seconds"`
	Cached  int     `json:"cached"`
	// Comparison is what both backends said of them, nil where one was asked.
	Comparison *BackendComparison `json:"comparison,omitempty"`
}

// CanonicalControl says how many references passed.
type CanonicalControl struct {
	Passed int `json:"passed"`
	Total  int `json:"total"`
	// ExpectedFailures are the tasks whose reference is known to fail, and did.
	ExpectedFailures []string `json:"expected_failures"`
	// Unexpected are the tasks whose reference should have passed, with what it got instead.
	Unexpected []Surprise `json:"unexpected,omitempty"`
	// Cured are tasks whose reference is known to fail and passed.
	Cured []string `json:"cured,omitempty"`
}

// NullControl says how many null programs passed: none may.
type NullControl struct {
	Passed int `json:"passed"`
	Total  int `json:"total"`
	// Unexpected are those that passed, or got another verdict than such a program must.
	Unexpected []Surprise `json:"unexpected,omitempty"`
}

// Surprise is a control that did not come out as it must.
type Surprise struct {
	TaskID  string `json:"task_id"`
	Program string `json:"program"` // canonical, or one of verify.Nulls
	Verdict string `json:"verdict"`
	Error   string `json:"error,omitempty"`
}

func (s Surprise) String() string {
	text := fmt.Sprintf("%s: the %s program: %s", s.TaskID, s.Program, strings.ReplaceAll(s.Verdict, "_", " "))
	if s.Error != "" {
		text += " (" + s.Error + ")"
	}
	return text
}

// OK says whether a score may be printed.
func (c Controls) OK() bool {
	return len(c.Canonical.Unexpected) == 0 && len(c.Null.Unexpected) == 0 && c.Null.Passed == 0 && c.Null.Total > 0
}

// CodeTally is how the samples of one task did.
type CodeTally struct {
	Samples int `json:"samples"`
	Passed  int `json:"passed"`
	// Infra counts samples about which nothing is known: they are not among Samples.
	Infra int `json:"infra,omitempty"`
}

// ErrorClass is a kind of exception and how often it decided.
type ErrorClass struct {
	Name  string `json:"name"`
	Count int    `json:"count"`
	// Tasks is on how many tasks, and Message its most frequent text, which Same samples share.
	Tasks   int    `json:"tasks"`
	Message string `json:"message,omitempty"`
	Same    int    `json:"same,omitempty"`
}

// CodeEvalSummary is summary.json of an eval: a verification's, and how its samples were made.
type CodeEvalSummary struct {
	CodeSummary
	Generation Generation `json:"generation"`
}

// Generation says how samples were made and what that took.
type Generation struct {
	Model       string   `json:"model"`
	Prompt      string   `json:"prompt"`
	ShowTests   int      `json:"show_tests"`
	Samples     int      `json:"samples_per_task"`
	Temperature float64  `json:"temperature"`
	TopP        *float64 `json:"top_p,omitempty"`
	Seed        int64    `json:"seed"`
	MaxTokens   int      `json:"max_tokens"`
	// Wanted is how many samples there are to be, Made how many there are. Truncated were cut off by the limit of
	// tokens, and Empty hold no text.
	Wanted    int `json:"wanted"`
	Made      int `json:"made"`
	Truncated int `json:"truncated"`
	Empty     int `json:"empty"`
	// Lost are samples that the last execution could not make.
	Lost  int        `json:"lost,omitempty"`
	Usage Tokens     `json:"usage"`
	Cost  *money.USD `json:"cost_usd"` // of all calls, null: not known
	// AtMost is what they can have cost: more than Cost where calls were not settled, or were in flight at a crash.
	AtMost *money.USD `json:"at_most_usd"`
	// Spent is what the budget lost: AtMost, mostly. It is nil without a budget.
	Spent *money.USD `json:"spent_usd,omitempty"`
	// ModelSeconds adds up the model's time over all samples, which overlap.
	ModelSeconds float64 `json:"model_seconds"`
}

// CodeSummary is summary.json: what a run found, and whether it may be believed.
type CodeSummary struct {
	Dataset string `json:"dataset"`
	// Total counts the samples with a verdict of their own, Passed those that passed.
	Total  int `json:"total"`
	Passed int `json:"passed"`
	// PassAtK has the unbiased estimate for each k that every task has samples for; it is empty where Withheld is not.
	PassAtK map[string]float64 `json:"pass_at_k"`
	// CI95 is the interval of pass@1, nil where there is none; CIMethod names how it was made. With several samples a
	// task, the task is the unit.
	CI95     *[2]float64 `json:"ci95"`
	CIMethod string      `json:"ci_method,omitempty"`
	// Withheld says why there is no score, "" when there is one.
	Withheld string `json:"withheld,omitempty"`

	Controls Controls       `json:"controls"`
	Verdicts map[string]int `json:"verdicts"`
	// Backends are what judged the samples.
	Backends []CodeBackend `json:"backends,omitempty"`
	// Comparison is what both backends said of the samples, nil where one was asked.
	Comparison *BackendComparison `json:"comparison,omitempty"`
	// Seconds is what judging the samples took, controls apart, and ProgramsPerSecond how many were judged in one.
	Seconds           float64 `json:"seconds"`
	ProgramsPerSecond float64 `json:"programs_per_second"`

	// Tasks counts the tasks with a sample, of TasksTotal that count. Partial says that they differ: the score is over
	// the tasks present only, and Missing names the others.
	Tasks      int  `json:"tasks"`
	TasksTotal int  `json:"tasks_total"`
	Partial    bool `json:"partial"`
	// DatasetTasks counts the tasks of the dataset, or of its split: more than TasksTotal when only some were chosen.
	DatasetTasks int      `json:"dataset_tasks"`
	Missing      []string `json:"missing,omitempty"`
	// Complete says that every sample has been judged.
	Complete bool `json:"complete"`

	Diagnosis    []string       `json:"diagnosis"`
	ErrorClasses []ErrorClass   `json:"error_classes"`
	Extraction   map[string]int `json:"extraction"`
	Steps        map[string]int `json:"extraction_steps,omitempty"`
	Signs        map[string]int `json:"signs,omitempty"`
	Rescue       *Rescue        `json:"rescue,omitempty"`
	Flaky        []SampleRef    `json:"flaky,omitempty"`
	Slowest      []SlowSample   `json:"slowest"`
	PerTask      []CodeTaskLine `json:"per_task"`

	// Samples says where they are from; Dropped, Repeats and Aside are as in verify.Inventory.
	Samples     string `json:"samples"`
	Dropped     int    `json:"duplicates_dropped,omitempty"`
	Repeats     int    `json:"repeats,omitempty"`
	Aside       int    `json:"aside,omitempty"`
	DatasetHash string `json:"dataset_sha256"`
	Official    bool   `json:"dataset_official"`
	Split       string `json:"split,omitempty"`
}

// CodeBackend is one of the places where samples were judged.
type CodeBackend struct {
	Name   string `json:"name"` // wasm or native
	Python string `json:"python,omitempty"`
	// Language is what the programs are written in where it is not Python, and Tool what makes and runs them, with its
	// version: "g++ 12.2.0".
	Language string `json:"language,omitempty"`
	Tool     string `json:"tool,omitempty"`
	// OwnWord says that programs passed by their exit status, which is their own word.
	OwnWord   bool   `json:"own_word,omitempty"`
	Isolation string `json:"isolation"`
	Samples   int    `json:"samples"`
}

// Rescue is how many programs lack the entry point and would pass under its name. It is never part of the score.
type Rescue struct {
	Tried  int `json:"tried"`
	Passed int `json:"passed"`
}

// SampleRef names a sample.
type SampleRef struct {
	TaskID string `json:"task_id"`
	Sample int    `json:"sample"`
}

// SlowSample is a sample with what it took.
type SlowSample struct {
	SampleRef
	Verdict string  `json:"verdict"`
	Steps   int64   `json:"steps"`
	Seconds float64 `json:"seconds"`
}

// CodeTaskLine is a task's row.
type CodeTaskLine struct {
	TaskID string `json:"task_id"`
	CodeTally
}

package runfile

import (
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// Report is report.json.
type Report struct {
	Schema     int            `json:"schema"`
	Run        ReportRun      `json:"run"`
	Repo       Repo           `json:"repo"`
	Coverage   ReportCoverage `json:"coverage"`
	Usage      ReportUsage    `json:"usage"`
	Turns      int            `json:"turns"`
	Dispatches int            `json:"dispatches"`
	Errors     ErrorTally     `json:"errors"`
	// Findings are grounded, in report order.
	Findings []Finding `json:"findings"`
	// Fixed are findings of the base that the change mended; nil where no change was reviewed.
	Fixed []Finding `json:"fixed,omitempty"`
	// Change is what the review was narrowed to, nil for a whole codebase.
	Change *Change `json:"change,omitempty"`
	// Top says what to do first, at most ten of Findings; absent in reports of older versions.
	Top []TopFinding `json:"top,omitzero"`
	// Ungrounded findings quote nothing that could be found, each with its Why.
	Ungrounded []Finding `json:"ungrounded"`
	// Refuted findings are kept apart because the code proves them wrong; nil where nothing was verified.
	Refuted []Refuted `json:"refuted,omitzero"`
	// Dismissed findings are kept apart because the root took them back; nil where it did not.
	Dismissed []Dismissed `json:"dismissed,omitzero"`
	// Verification says what the second look at the findings came to; nil where there was none.
	Verification *SecondLook `json:"verification,omitempty"`
	// Suppressed findings are left out of Findings by a comment, the suppress file, the triage file, or because their rule is off.
	Suppressed []Suppressed `json:"suppressed,omitempty"`
	// Known counts the findings left out because the baseline report has them; nil when there was no baseline.
	Known *int `json:"known,omitempty"`
	// KnownFindings are those, where the baseline was applied in this run: SARIF must not leave them out.
	KnownFindings []Finding `json:"-"`
	// Analysis is the root's own document, in Markdown.
	Analysis string `json:"analysis"`
}

// ReportRun says how the review went.
type ReportRun struct {
	ID         string           `json:"id"`
	Status     trace.Status     `json:"status"`
	StopReason trace.StopReason `json:"stop_reason"`
	// Shortfalls say what was asked for and is missing; empty for a completed run, but for what no reader could judge.
	Shortfalls []trace.Shortfall `json:"shortfalls"`
	StartedAt  time.Time         `json:"started_at"`
	// DurationS is in seconds.
	DurationS float64 `json:"duration_s"`
	// Root and Worker are model names such as "anthropic/claude", "offline/rules".
	Root   string `json:"root"`
	Worker string `json:"worker"`
}

// Repo is the codebase that was reviewed.
type Repo struct {
	Path string `json:"path"`
	// Remote, FirstCommit and Below say which repository it is of, the same for all clones and work trees: its address without
	// scheme and user, the commit its history begins with, and the path in it. Empty where that is not known.
	Remote      string `json:"remote,omitempty"`
	FirstCommit string `json:"first_commit,omitempty"`
	Below       string `json:"below,omitempty"`

	Commit string `json:"commit"`
	Files  int    `json:"files"`
	Lines  int    `json:"lines"`
	Chars  int    `json:"chars"`
	// Languages counts lines by language.
	Languages map[string]int `json:"languages"`
}

// ReportCoverage says how much of the codebase reached a worker.
type ReportCoverage struct {
	FilesTotal      int `json:"files_total"`
	FilesDispatched int `json:"files_dispatched"`
	LinesTotal      int `json:"lines_total"`
	LinesDispatched int `json:"lines_dispatched"`
	// LinesAnswered counts the lines that a usable reply came back for; LinesJudged those of them that the reader could
	// judge: all with a language model, those of languages with rules offline.
	LinesAnswered int `json:"lines_answered"`
	LinesJudged   int `json:"lines_judged"`
	// Fraction is LinesJudged of LinesTotal, 0 to 1. In LinesTotal are the lines of skipped source that the user did not
	// exclude.
	Fraction float64 `json:"fraction"`
	// Skipped are the files that were never part of the review.
	Skipped []Skip `json:"skipped"`
}

// Skip is a file left out, and why.
type Skip struct {
	Path string `json:"path"`
	Why  string `json:"why"`
	// Source says whether it is source code, as far as its name tells.
	Source bool `json:"source"`
	// By says who left it out: "user" by flags or configuration, "codebase" by its own ignore files and marks, "program" by
	// its limits.
	By string `json:"by"`
}

// ReportUsage is what the models were asked for and what that cost.
type ReportUsage struct {
	Root   ModelUsage `json:"root"`
	Worker ModelUsage `json:"worker"`
	// TotalCostUSD is nil when any part of it is unknown.
	TotalCostUSD *float64 `json:"total_cost_usd"`
	// AtMostUSD is what it can have cost, where calls were not settled: they broke off, or were in flight when the run was
	// killed. Equal to TotalCostUSD when every call was.
	AtMostUSD *float64 `json:"at_most_usd"`
}

// ModelUsage is the usage of one model.
type ModelUsage struct {
	Calls        int   `json:"calls"`
	InputTokens  int64 `json:"input_tokens"`
	OutputTokens int64 `json:"output_tokens"`
	CachedTokens int64 `json:"cached_tokens"`
	// CostUSD is nil when it is unknown.
	CostUSD *float64 `json:"cost_usd"`
}

// ErrorTally counts what went wrong on the way.
type ErrorTally struct {
	// Cell counts cells that ended in an error; Repeated those that ended in the same one as the cell before.
	Cell     int `json:"cell"`
	Repeated int `json:"repeated"`
	// Dispatch counts dispatches that gave no reply.
	Dispatch int `json:"dispatch"`
}

// Suppressed is a finding that a user left out.
type Suppressed struct {
	Finding
	// By is "comment", "file" (the suppress file), "triage", or "skip_rules" (the rule is switched off).
	By string `json:"by"`
	// Reason is what was written beside the decision; the pattern that switched the rule off.
	Reason string `json:"reason"`
	// ByChange says of a change's review that the change itself brings the comment or the decision: its base does not have it.
	ByChange bool `json:"by_change,omitempty"`
}

// SecondLook says what the second look at the findings and at the root's document came to.
type SecondLook struct {
	// Verifier is the model that was asked to refute the findings.
	Verifier string `json:"verifier"`
	// Stands, Partly, ByDesign, Unsure and Unverified count findings of the main list, Refuted those kept apart.
	Stands     int `json:"stands"`
	Partly     int `json:"partly"`
	ByDesign   int `json:"by_design"`
	Unsure     int `json:"unsure"`
	Unverified int `json:"unverified"`
	Refuted    int `json:"refuted"`
	// Claims counts the checkable claims of the root's document, Contradicted lists those that the code shows to be wrong.
	Claims       ClaimTally     `json:"claims"`
	Contradicted []Contradicted `json:"contradicted"`
}

// Contradicted is a sentence of the root's document that the codebase shows to be wrong.
type Contradicted struct {
	Sentence string `json:"sentence"`
	Why      string `json:"why"`
	Proof    *Proof `json:"proof,omitempty"`
}

// TopFinding is a finding that should be looked at first.
type TopFinding struct {
	ID string `json:"id"`
	// Why says in a short phrase why it is so far up.
	Why string `json:"why"`
	// Same are the findings of the same rule, which have no place of their own among the first.
	Same []string `json:"same,omitempty"`
}

// Dismissed is a finding that the root took back: nothing is deleted.
type Dismissed struct {
	Finding
	Reason string `json:"reason"`
	By     string `json:"by"` // the model that dismissed it
}

// Refuted is a finding that the code proves wrong: its Why says how, its Proof quotes the code.
type Refuted struct {
	Finding
	Proof *Proof `json:"proof,omitempty"`
}

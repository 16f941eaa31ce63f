package doc

import (
	"slices"
	"strconv"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// Kind is what a run was for.
type Kind string

// The kinds of run.
const (
	Review   Kind = "review" // analyze, baseline
	Eval     Kind = "eval"
	Bench    Kind = "bench"
	CodeEval Kind = "codeeval" // code eval, code verify
	Compare  Kind = "compare"
	Pairs    Kind = "pairs"
	Training Kind = "training"
	Reviews  Kind = "list" // of a list of repositories
	Unknown  Kind = "unknown"
)

// Status is how a run went.
type Status string

// The states of a run.
const (
	Running   Status = "running" // a process is at work in its directory
	Completed Status = "completed"
	Partial   Status = "partial" // it was stopped, or killed, and can be continued
	Failed    Status = "failed"
	Broken    Status = "broken" // its files cannot be read
)

// Section is a part of a run's page.
type Section string

// The sections.
const (
	SectionTurns    Section = "turns"
	SectionCode     Section = "code"
	SectionFindings Section = "findings"
	SectionEval     Section = "eval"
	SectionBench    Section = "bench"
	SectionCodeEval Section = "codeeval"
	SectionCompare  Section = "compare"
	SectionPairs    Section = "pairs"
	SectionTraining Section = "training"
)

// Row is a run in a list of runs.
type Row struct {
	ID        string    `json:"id"` // see view.ID
	Kind      Kind      `json:"kind"`
	Name      string    `json:"name"` // the directory's
	Path      string    `json:"path"` // absolute
	Status    Status    `json:"status"`
	StartedAt time.Time `json:"started_at,omitzero"`
	// DurationS is the seconds from beginning to end; of a run at work until now.
	DurationS *float64 `json:"duration_s,omitempty"`
	CostUSD   *float64 `json:"cost_usd"` // null: unknown
	Models    []string `json:"models"`
	Headline  string   `json:"headline"` // the outcome in a few words
	// Score is the outcome in one number, from 0 to 1: a review's coverage, an eval's mean reward (which may be below 0), a
	// code eval's pass@1, a bench's best quality, a training's reward after it.
	Score     *float64  `json:"score,omitempty"`
	Problem   string    `json:"problem,omitempty"` // why the run is broken or shown in part
	Parent    string    `json:"parent,omitempty"`  // ID of the run that this one is a part of
	UpdatedAt time.Time `json:"updated_at,omitzero"`
}

// Header is a run's first document.
type Header struct {
	Row
	Live     bool      `json:"live"` // a process is at work: documents may change
	Sections []Section `json:"sections"`
	Children []Row     `json:"children"` // runs in its directory
	Facts    []Fact    `json:"facts"`
	// Review is what a review's page begins with; absent of other kinds.
	Review *ReviewHead `json:"review,omitempty"`
	// Fleet says which machines did the run's items; it is absent where no fleet did any.
	Fleet *runfile.FleetWork `json:"fleet,omitempty"`
	// Ended says of a review in one sentence how it ended, or how it had ended before it went on.
	Ended string `json:"ended,omitempty"`
	// Shortfalls say what a review lacked at that time, in the order of the codes.
	Shortfalls []trace.Shortfall `json:"shortfalls,omitempty"`
	Hint       string            `json:"hint,omitempty"`    // what can be done about a problem, or how to go on
	Omitted    string            `json:"omitted,omitempty"` // what a file that was made of the run leaves out
}

// ReviewHead is what was reviewed, who read it, and what was found.
type ReviewHead struct {
	Repository string `json:"repository"` // its name, "" where it is not known
	Commit     string `json:"commit,omitempty"`
	Reader     string `json:"reader,omitempty"` // in words, once there is a report
	// Severities counts the findings once there is a report.
	Severities map[string]int `json:"severities,omitempty"`
	// Progress is how far a review without a report has come.
	Progress *Progress `json:"progress,omitempty"`
	// Change is absent where the whole codebase was reviewed.
	Change *ChangeHead `json:"change,omitempty"`
}

// ChangeHead is the change that a review is of.
type ChangeHead struct {
	Base      string `json:"base"`                // what the user called it, and its commit
	Reviewing bool   `json:"reviewing,omitempty"` // the head was read, and the base is being read
	// Counts are absent while there is no report.
	Counts *ChangeCounts `json:"counts,omitempty"`
}

// ChangeCounts are findings by what they are to a change.
type ChangeCounts struct {
	New    int `json:"new"`
	Before int `json:"before"` // there before it
	Fixed  int `json:"fixed"`
}

// Progress is how far a review has come, as its journal says.
type Progress struct {
	Turns      int `json:"turns"`
	Dispatches int `json:"dispatches"`
	Failed     int `json:"failed"` // of the dispatches
	// Lines is how many lines stood in prompts that were answered, as far as their headers say; Of is how many there are, 0 where
	// that is not known.
	Lines int `json:"lines"`
	Of    int `json:"of"`
}

// Fact adds a fact that has a value.
func (h *Header) Fact(name, value string) { h.Facts = append(h.Facts, Facts(name, value)...) }

// Number adds a fact that is a number, where a file says it.
func (h *Header) Number(name string, n *int) {
	if n != nil {
		h.Fact(name, strconv.Itoa(*n))
	}
}

// Model adds a model that has a name.
func (h *Header) Model(name string) {
	if name != "" && !slices.Contains(h.Models, name) && len(h.Models) < 50 {
		h.Models = append(h.Models, Clip(name, 200))
	}
}

// StatusOf is a word of ours in a file, or broken.
func StatusOf(word trace.Status) Status {
	switch s := Status(word); s {
	case Completed, Partial, Failed:
		return s
	}
	return Broken
}

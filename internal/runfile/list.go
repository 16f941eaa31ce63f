package runfile

import (
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// ListName is the summary of reviews of a list, .json and .md.
const ListName = "summary"

// List is summary.json of a run over a list of repositories.
type List struct {
	Schema  int          `json:"schema"`
	Status  trace.Status `json:"status"` // completed where all are, failed where none is, else partial
	Started time.Time    `json:"started_at"`
	// Repositories stand in the order of the list.
	Repositories []ListReview `json:"repositories"`
	// Done of them were reviewed, at least in part; Failed were not.
	Done   int `json:"done"`
	Failed int `json:"failed"`
	// Severities counts the findings of all by severity.
	Severities map[string]int `json:"severities"`
	// Lines and Judged are coverage's, over all that could be read: Judged of Lines got an answer from a reader that can judge them.
	Lines  int `json:"lines_total"`
	Judged int `json:"lines_judged"`
	// CostUSD is what all cost at least, those that failed included, AtMostUSD what they can have cost; nil when a price is not known.
	CostUSD   *float64 `json:"total_cost_usd"`
	AtMostUSD *float64 `json:"at_most_usd"`
	// First are the findings of all to look at first.
	First []ListFinding `json:"first"`
}

// ListReview is one repository of a list.
type ListReview struct {
	Name   string `json:"name"`
	Source string `json:"source"` // as the list has it
	Ref    string `json:"ref,omitempty"`
	Dir    string `json:"dir"` // of its run, below the whole's
	// Status is the review's, or failed where there is none: then Error says why.
	Status     trace.Status   `json:"status"`
	Error      string         `json:"error,omitempty"`
	Commit     string         `json:"commit,omitempty"`
	Findings   int            `json:"findings"`
	Severities map[string]int `json:"severities"`
	Coverage   float64        `json:"coverage"`
	Lines      int            `json:"lines_total"`
	CostUSD    *float64       `json:"total_cost_usd"`
	AtMostUSD  *float64       `json:"at_most_usd"`
	// Top are its findings to look at first, at most three.
	Top []ListFinding `json:"top"`
}

// ListFinding is a finding, and whose it is.
type ListFinding struct {
	Repository string `json:"repository"`
	ID         string `json:"id"`
	File       string `json:"file"`
	Line       int    `json:"line"`
	Severity   string `json:"severity"`
	Category   string `json:"category"`
	Title      string `json:"title"`
}

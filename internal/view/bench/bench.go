// Package bench answers the document of a bench: bench.json, as far as a page shows it.
package bench

import (
	"encoding/json"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// What of a bench is shown at most.
const (
	mostConfigs = 200
	mostReviews = 20_000
)

// Run is a bench's directory.
type Run struct{ *dir.Dir }

// New shows the bench in a directory.
func New(d *dir.Dir) doc.Shown {
	r := Run{d}
	return doc.Shown{
		Describe: r.describe, Outcome: runfile.BenchName,
		Parts:     []doc.Part{{Section: doc.SectionBench, Files: []string{runfile.BenchName}}},
		Documents: map[string]doc.Get{"bench": r.bench},
		Inventory: func(give func(string)) { give("bench") },
	}
}

// bench answers "bench".
func (r Run) bench(rest string) (any, error) {
	if rest != "" {
		return nil, doc.NotFound("a bench has no %q", doc.Clip(rest, 80))
	}
	var all runfile.Bench
	if err := r.ReadJSON(runfile.BenchName, &all); err != nil {
		return nil, err
	}
	if len(all.Rows) > mostConfigs {
		return nil, &doc.Error{Status: 413, Message: "the bench has too many configurations for a page", Hint: "look at bench.md"}
	}
	left := mostReviews
	for i := range all.Rows {
		row := &all.Rows[i]
		row.Runs = doc.List(row.Runs[:min(len(row.Runs), left)])
		left -= len(row.Runs)
	}
	all.Rows, all.Codebases, all.Gap, all.Economics = doc.List(all.Rows), doc.List(all.Codebases), doc.List(all.Gap), doc.List(all.Economics)
	all.Tests, all.Rules, all.Notes = doc.List(all.Tests), doc.List(all.Rules), doc.List(all.Notes)
	return all, nil
}

// describe reads bench.json.
func (r Run) describe(h *doc.Header) error {
	var all struct {
		Rows []struct {
			Config, Root, Worker string
			Quality              *float64
			Done                 int `json:"runs_done"`
			Total                int `json:"runs_total"`
		}
		Codebases []json.RawMessage // counted
		SpentUSD  *float64          `json:"spent_usd"`
	}
	ended, err := r.Outcome(h, runfile.BenchName, &all)
	if err != nil || !ended {
		return err
	}
	h.Status, h.CostUSD = doc.Completed, all.SpentUSD
	best := ""
	for _, row := range all.Rows {
		h.Model(row.Root)
		h.Model(row.Worker)
		if row.Done < row.Total {
			h.Status, h.Hint = doc.Partial, r.Resume()
		}
		if q := row.Quality; q != nil && (h.Score == nil || *q > *h.Score) {
			h.Score, best = q, row.Config
		}
	}
	h.Headline = doc.Plural(len(all.Rows), "configuration")
	if h.Score != nil {
		h.Headline += fmt.Sprintf(", best %s %.2f", doc.Clip(best, 60), *h.Score)
	}
	h.Fact("configurations", fmt.Sprint(len(all.Rows)))
	h.Fact("codebases", fmt.Sprint(len(all.Codebases)))
	return nil
}

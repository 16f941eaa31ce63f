// Package reviews answers the header of a list's reviews: summary.json, as far as it says how they went. Each review below is a
// run of its own.
package reviews

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/taxonomy"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// New shows the reviews of a list in a directory.
func New(d *dir.Dir) doc.Shown {
	return doc.Shown{Describe: func(h *doc.Header) error { return describe(d, h) }, Inventory: func(func(string)) {}}
}

// describe reads summary.json.
func describe(d *dir.Dir, h *doc.Header) error {
	var asked struct {
		Review struct{ Root, Worker string }
	}
	d.Asked(&asked)
	h.Model(asked.Review.Root)
	h.Model(asked.Review.Worker)
	var s struct {
		Status       trace.Status
		Repositories []struct{} // counted
		Done         *int
		Severities   map[string]int
		Lines        int      `json:"lines_total"`
		Judged       int      `json:"lines_judged"`
		CostUSD      *float64 `json:"total_cost_usd"`
	}
	ended, err := d.Outcome(h, runfile.SummaryName, &s)
	if err != nil || !ended {
		return err
	}
	h.Status, h.CostUSD = doc.StatusOf(s.Status), s.CostUSD
	if h.Status == doc.Partial || h.Status == doc.Failed {
		h.Hint = d.Resume()
	}
	if s.Lines > 0 {
		h.Score = new(float64(s.Judged) / float64(s.Lines))
	}
	if s.Done != nil {
		h.Headline = fmt.Sprintf("%d of %d repositories reviewed", *s.Done, len(s.Repositories))
	}
	var words []string
	for _, severity := range taxonomy.Severities() {
		if n := s.Severities[severity]; n > 0 {
			words = append(words, fmt.Sprintf("%d %s", n, severity))
		}
	}
	if len(words) > 0 {
		h.Headline += ": " + strings.Join(words, ", ")
	}
	return nil
}

// Package code answers the documents of a code run: a code eval or a verification, whose programs were judged by tests.
package code

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/view/dir"
	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// New shows the code run in a directory.
func New(d *dir.Dir) doc.Shown {
	r := Run{d}
	return doc.Shown{
		Describe:  r.describe,
		Parts:     []doc.Part{{Section: doc.SectionCodeEval, Files: []string{resultsName, samplesName, summaryName}}},
		Documents: map[string]doc.Get{"codeeval": r.document},
		Inventory: r.inventory,
	}
}

// document answers "codeeval" and "codeeval/task/ID".
func (r Run) document(rest string) (any, error) {
	if rest == "" {
		return r.run()
	}
	if id, ok := strings.CutPrefix(rest, "task/"); ok {
		return r.task(id)
	}
	return nil, doc.NotFound("a code eval has no %q", doc.Clip(rest, 80))
}

func (r Run) inventory(give func(string)) {
	give("codeeval")
	if x, err := r.codeIndex(); err == nil {
		for _, id := range x.ids {
			give("codeeval/task/" + id)
		}
	}
}

// describe reads a code eval's summary.json.
func (r Run) describe(h *doc.Header) error {
	var asked struct{ Dataset, Model string }
	r.Asked(&asked)
	h.Model(asked.Model)
	h.Fact("dataset", asked.Dataset)
	var sum struct {
		Dataset, Samples string
		Total, Passed    int
		PassAtK          map[string]float64 `json:"pass_at_k"`
		CI95             *[2]float64
		Complete         bool
		Seconds          *float64
		Generation       *struct {
			Cost *float64 `json:"cost_usd"`
		}
	}
	ended, err := r.Outcome(h, summaryName, &sum)
	if err != nil {
		return err
	}
	if !ended {
		if l, err := r.Lines(samplesName); err == nil {
			h.Headline = doc.Plural(l.Count(), "sample") + " so far"
		}
		return nil
	}
	h.Status, h.DurationS = doc.Completed, sum.Seconds
	if !sum.Complete {
		h.Status, h.Hint = doc.Partial, "deeprepo resume "+r.Path()+" continues it"
	}
	if sum.Generation != nil {
		h.CostUSD = sum.Generation.Cost
	} else if r.Manifest.Command == "code verify" {
		h.CostUSD = new(0.0) // no model is asked
	}
	h.Headline = fmt.Sprintf("%d of %d passed", sum.Passed, sum.Total)
	if p, ok := sum.PassAtK["1"]; ok {
		h.Score = &p
		h.Headline = fmt.Sprintf("pass@1 %.1f%%, %s", 100*p, h.Headline)
	}
	if sum.CI95 != nil {
		h.Fact("pass@1", fmt.Sprintf("95%% interval %.1f%% to %.1f%%", 100*sum.CI95[0], 100*sum.CI95[1]))
	}
	h.Fact("samples", sum.Samples)
	return nil
}

package code

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Documents are a code run's, by the first part of their path.
func (r Run) Documents() map[string]func(rest string) (any, error) {
	return map[string]func(string) (any, error){"codeeval": func(rest string) (any, error) {
		if rest == "" {
			return r.run()
		}
		if id, ok := strings.CutPrefix(rest, "task/"); ok {
			return r.task(id)
		}
		return nil, doc.NotFound("a code eval has no %q", doc.Clip(rest, 80))
	}}
}

// Sections are those for which there is something to show.
func (r Run) Sections() []doc.Section {
	if r.Has(resultsName) || r.Has(samplesName) || r.Has(summaryName) {
		return []doc.Section{doc.SectionCodeEval}
	}
	return []doc.Section{}
}

// Concluded is false: a code run draws no page of its own.
func (r Run) Concluded() bool { return false }

// Inventory gives the run's documents, the most important first.
func (r Run) Inventory(give func(...string) bool) {
	if !give("codeeval") {
		return
	}
	x, err := r.codeIndex()
	if err != nil {
		return
	}
	for _, id := range x.ids {
		if !give("codeeval/task/" + id) {
			return
		}
	}
}

package pairs

import (
	"strconv"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Documents are those of a set of pairs, by the first part of their path.
func (r Run) Documents() map[string]func(rest string) (any, error) {
	return map[string]func(string) (any, error){"pairs": func(rest string) (any, error) {
		if rest == "" {
			return r.set()
		}
		n, err := strconv.Atoi(rest)
		if err != nil {
			return nil, doc.NotFound("no pair %q", doc.Clip(rest, 80))
		}
		return r.pair(n)
	}}
}

// Sections are those for which there is something to show.
func (r Run) Sections() []doc.Section {
	if r.Has(trainName) || r.Has(tracePairsName) || r.Has(summaryName) {
		return []doc.Section{doc.SectionPairs}
	}
	return []doc.Section{}
}

// Concluded is false: a set of pairs draws no page of its own.
func (r Run) Concluded() bool { return false }

// Inventory gives the documents, the most important first.
func (r Run) Inventory(give func(...string) bool) {
	if !give("pairs") {
		return
	}
	rows, err := r.pairRows()
	if err != nil {
		return
	}
	for i := range rows.File {
		if !give("pairs/" + strconv.Itoa(i)) {
			return
		}
	}
}

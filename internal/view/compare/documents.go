package compare

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/view/doc"
)

// Documents are a comparison's, by the first part of their path.
func (r Run) Documents() map[string]func(rest string) (any, error) {
	return map[string]func(string) (any, error){"compare": func(rest string) (any, error) {
		if id, ok := strings.CutPrefix(rest, "task/"); ok {
			return r.flip(id)
		}
		if rest != "" {
			return nil, doc.NotFound("a comparison has no %q", doc.Clip(rest, 80))
		}
		return r.comparison()
	}}
}

// Sections are those for which there is something to show.
func (r Run) Sections() []doc.Section {
	if r.Concluded() {
		return []doc.Section{doc.SectionCompare}
	}
	return []doc.Section{}
}

// Concluded reports whether the file is there that tells the outcome.
func (r Run) Concluded() bool { return r.Has(name) }

// Inventory gives the comparison's documents, the most important first.
func (r Run) Inventory(give func(...string) bool) {
	if !give("compare") {
		return
	}
	at, err := r.flips()
	if err != nil {
		return
	}
	for _, id := range at.ids {
		if !give("compare/task/" + id) {
			return
		}
	}
}

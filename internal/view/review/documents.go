package review

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/view/doc"
	"github.com/deeprepo/deeprepo/internal/view/traces"
)

// Documents are a review's, by the first part of their path.
func (r *Run) Documents() map[string]func(rest string) (any, error) {
	all := map[string]func(string) (any, error){"findings": r.findings, "files": r.files, "file": r.file}
	for _, name := range []string{"trace", "turn", "prompt", "dispatch"} {
		all[name] = func(rest string) (any, error) { return r.trace().Document(name, rest) }
	}
	return all
}

// Sections are those for which there is something to show.
func (r *Run) Sections() []doc.Section {
	list := []doc.Section{}
	if r.Has(reportName) {
		list = append(list, doc.SectionFindings)
	}
	if r.Has(traceName) {
		list = append(list, doc.SectionTurns)
	}
	if r.Has(reportName) {
		list = append(list, doc.SectionCode)
	}
	return list
}

// Concluded reports whether the file is there that tells the outcome.
func (r *Run) Concluded() bool { return r.Has(reportName) }

// DispatchBytes is how many bytes of the trace are dispatches.
func (r *Run) DispatchBytes() int64 {
	s, err := r.trace().Refresh()
	if err != nil {
		return 0
	}
	return s.DispatchBytes()
}

// Inventory gives the review's documents, the most important first: what findings rest on before the rest, their files, and
// the dispatches that they came from. Prompts come last: they repeat each other, and what is new in each stands in its turn.
func (r *Run) Inventory(give func(...string) bool) {
	if !give("findings", "files", "trace") {
		return
	}
	given := map[string]bool{}
	once := func(format string, id any) bool {
		resource := fmt.Sprintf(format, id)
		if given[resource] {
			return true
		}
		given[resource] = true
		return give(resource)
	}
	s, err := r.trace().Refresh()
	if err != nil {
		s = traces.Snapshot{}
	}
	each := func(letter byte, name string) bool {
		for n, kind := range s.All() {
			if kind == letter && !once(name+"/%d", n) {
				return false
			}
		}
		return true
	}
	if !each('r', "turn") {
		return
	}
	if known, err := r.findings(""); err == nil {
		found := known.(Findings)
		for _, f := range found.Findings {
			if !once("file/%s", f.File) {
				return
			}
			for _, key := range f.Sources {
				if at, ok := found.Dispatches[key]; ok && !once("dispatch/%d", at.Seq) {
					return
				}
			}
		}
	}
	if !each('d', "dispatch") {
		return
	}
	if all, err := r.files(""); err == nil {
		for _, f := range all.(Files).Files {
			if !once("file/%s", f.Path) {
				return
			}
		}
	}
	each('r', "prompt")
}

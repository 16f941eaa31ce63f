package training

import "github.com/deeprepo/deeprepo/internal/view/doc"

// Documents are a training's, by the first part of their path.
func (r Run) Documents() map[string]func(rest string) (any, error) {
	return map[string]func(string) (any, error){"training": r.training}
}

// Sections are those for which there is something to show.
func (r Run) Sections() []doc.Section {
	if r.Has(metricsName) || r.Has(summaryName) || r.Has(planName) {
		return []doc.Section{doc.SectionTraining}
	}
	return []doc.Section{}
}

// Concluded reports whether the file is there that tells the outcome.
func (r Run) Concluded() bool { return r.Has(summaryName) }

// Inventory gives the training's documents, the most important first.
func (r Run) Inventory(give func(...string) bool) {
	if !give("training") {
		return
	}
	for _, stage := range r.stages() {
		if stage != "" {
			stage += "/"
		}
		if !give("training/" + stage + "0") {
			return
		}
	}
}

// Package training answers the documents of a training: what it came to, and its steps.
package training

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/view/dir"
)

// Run is a training's directory.
type Run struct{ *dir.Dir }

// stageName is the form of the directories in a training that may hold stages.
var stageName = regexp.MustCompile(`^(sft|grpo|dpo|pairs-[0-9]{1,9})$`)

// stages are the names of the directory's parts that may have steps, the run itself last.
func (r Run) stages() []string {
	var names []string
	for _, name := range r.Directories("", 1000) {
		if stageName.MatchString(name) && r.Has(stageFile(name)) {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		if len(a) != len(b) {
			return len(a) - len(b) // pairs-120 before pairs-1000
		}
		return strings.Compare(a, b)
	})
	if r.Has(runfile.MetricsName) {
		names = append(names, "")
	}
	return names
}

func stageFile(stage string) string {
	if stage == "" {
		return runfile.MetricsName
	}
	return stage + "/" + runfile.MetricsName
}

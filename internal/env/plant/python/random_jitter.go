package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// RandomJitter waits a random part of a delay.
func (*operators) RandomJitter(s *source) {
	for _, c := range s.nodes("call") {
		a := args(c)
		if !strings.HasSuffix(strings.ToLower(method(c)), "sleep") || len(a) != 1 || !named(a[0]) || !s.canImport("random", "time") ||
			c.Parent().Kind() == "await" {
			continue
		}
		edits := []plant.Edit{s.Replace(a[0], a[0].Text()+" * random.uniform(0.5, 1.0)")}
		s.ReportAll(append(edits, s.importing("random", "time")...),
			"The random number in %s only spreads retries over time; nobody gains by foretelling it.", where(c))
	}
}

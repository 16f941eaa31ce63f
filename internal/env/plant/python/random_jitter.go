package python

import "strings"

// RandomJitter waits a random part of a delay.
func (*operators) RandomJitter(s *source) {
	for c, a := range s.calls() {
		if !strings.HasSuffix(strings.ToLower(method(c)), "sleep") || len(a) != 1 || !named(a[0]) || !s.canImport("random", "time") ||
			c.Parent().Kind() == "await" {
			continue
		}
		s.ReportAll(s.Replace(a[0], a[0].Text()+" * random.uniform(0.5, 1.0)").And(s.importing("random", "time")...),
			"The random number in %s only spreads retries over time; nobody gains by foretelling it.", where(c))
	}
}

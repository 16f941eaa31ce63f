package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// randomJitter waits a random part of a delay.
func randomJitter() plant.Operator {
	proof := code(`import app`, `from unittest import mock`, `with mock.patch("time.sleep") as nap:`, `    app.rest(4)`, `assert 0 < nap.call_args.args[0] <= 4`)
	return plant.Operator{
		Name: "python/random-jitter", Language: "python", Split: train, Category: "weak-crypto", CWE: "CWE-338", Severity: "low", Decoy: true, Hint: "sleep",
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range s.nodes("call") {
				a := args(c)
				if !strings.HasSuffix(strings.ToLower(method(c)), "sleep") || len(a) != 1 || !named(a[0]) || !s.canImport("random", "time") || c.Parent().Kind() == "await" {
					continue
				}
				edits := []plant.Edit{s.replace(a[0], a[0].Text()+" * random.uniform(0.5, 1.0)")}
				all = append(all, plant.Site{Edits: append(edits, s.importing("random", "time")...), Description: say(
					"The random number in %s only spreads retries over time; nobody gains by foretelling it.", where(c))})
			}
			return all
		}),
		Samples: []plant.Sample{
			sample(code(`import time`, ``, `def rest(delay):`, `    time.sleep(delay)`), code(`import random`, `import time`, ``, `def rest(delay):`, `    time.sleep(delay * random.uniform(0.5, 1.0))`), proof),
			sample(code(`import json, random`, `import random`, `import time`, `def rest(delay): time.sleep(`, `    delay  # seconds`, `)`), code(`import json, random`, `import random`, `import time`, `def rest(delay): time.sleep(`, `    delay * random.uniform(0.5, 1.0)  # seconds`, `)`), proof),
		},
		Never: []string{code(`import time`, `def rest():`, `    time.sleep(3)`), code(`def rest(bed):`, `    bed.sleep(now)`)},
	}
}

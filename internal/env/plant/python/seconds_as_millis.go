package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var inSeconds = regexp.MustCompile(`(?i)(^|_)(seconds|secs|sec)$`)

// secondsAsMillis hands milliseconds to a function of another file that counts in seconds.
func secondsAsMillis() plant.Operator {
	return plant.Operator{
		Name: "python/seconds-as-millis", Language: "python", Split: train, Category: "api-misuse", CWE: "CWE-628", Severity: "high", CrossFile: true,
		Sites: sites(func(s *source) []plant.Site {
			var all []plant.Site
			for _, c := range indexOf(s.p).from[s.path] {
				for i, a := range args(c.node) {
					if i >= len(c.to.params) || !inSeconds.MatchString(c.to.params[i]) {
						continue
					}
					var text string
					switch {
					case a.Kind() == "binary_operator" && a.ChildByField("operator").Text() == "*", simple(a):
						text = a.Text() + " * 1000"
					case a.Kind() == "binary_operator":
						text = "(" + a.Text() + ") * 1000"
					default:
						continue
					}
					all = append(all, plant.Site{Edits: []plant.Edit{s.replace(a, text)}, Description: say(
						"%s passes milliseconds to %s, whose %s in %s is in seconds: it lasts a thousand times as long.", where(c.node), c.to.name, c.to.params[i], c.to.file)})
				}
			}
			return all
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"shop/app.py": code("from shop.clock import until", "", "", "def deadline():", "    return until(15 * 60)"), "shop/clock.py": code("def until(ttl_seconds, now=0):", "    return now + ttl_seconds")},
				Path: "shop/app.py", After: code("from shop.clock import until", "", "", "def deadline():", "    return until(15 * 60 * 1000)"), Proof: code("from shop.app import deadline", "assert deadline() == 900")},
			{Files: map[string]string{"shop/app.py": code("from .clock import Clock", "class A:", "    def __init__(self, clock: Clock): self.c = clock", "    def nap(self, a, b):", "        return self.c.wait(", "            'x', a", "            + b)"), "shop/clock.py": code("class Clock:", "    def wait(self, why, timeout_secs=1):", "        return timeout_secs")},
				Path: "shop/app.py", After: code("from .clock import Clock", "class A:", "    def __init__(self, clock: Clock): self.c = clock", "    def nap(self, a, b):", "        return self.c.wait(", "            'x', (a", "            + b) * 1000)"),
				Proof: code("from shop.app import A", "from shop.clock import Clock", "assert A(Clock()).nap(1, 2) == 3")},
		},
		Never: []string{
			code("def until(ttl_seconds):", "    return ttl_seconds", "", "def deadline():", "    return until(60)"),
			code("from elsewhere import until", "def deadline():", "    return until(60)"),
		},
	}
}

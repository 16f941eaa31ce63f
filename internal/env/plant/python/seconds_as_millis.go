package python

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var inSeconds = regexp.MustCompile(`(?i)(^|_)(seconds|secs|sec)$`)

// SecondsAsMillis hands milliseconds to a function of another file that counts in seconds.
func (operators) SecondsAsMillis(s *source) []plant.Site {
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
}

package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var delayName = regexp.MustCompile(`(?i)delay|wait|backoff|pause|interval|sleep|ms$|millis$`)

// RandomJitter spreads a delay with Math.random: nobody gains from guessing how long a pause is.
func (operators) RandomJitter(p *plant.Project, path string) []plant.Site {
	var out []plant.Site
	for call := range find(p, path, "call_expression") {
		_, name := callee(call)
		args := arguments(call)
		if name != "setTimeout" || len(args) != 2 || !simple(args[1]) || !delayName.MatchString(lastName(args[1])) {
			continue
		}
		out = append(out, site([]plant.Edit{replace(path, args[1], args[1].Text()+" + Math.floor(Math.random() * 50)")},
			"Math.random only spreads the pause of %s by a few milliseconds, so that nothing is gained by guessing it.", where(call)))
	}
	return out
}

package config

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var openMode = regexp.MustCompile(`\bchmod\s+(?:-\w*R\w*|--recursive)\s+(?:0?777|a\+rwx|ugo\+rwx|a=rwx)\s+(/?[\w./-]+)`)

var scratch = regexp.MustCompile(`^/(tmp|run|var/run|var/tmp|var/log|var/cache)(/|$)`)

// WorldWritable looks for whole trees: single directories are often opened for users whose number is not known before.
func (*checks) WorldWritable(p *rule.Pass) {
	if forDevelopers(p) {
		return
	}
	for _, in := range instructions(p) {
		for i, l := range in.lines {
			if m := openMode.FindStringSubmatch(l); in.name == "RUN" && m != nil && !scratch.MatchString(m[1]) {
				p.ReportLine(in.line+i, "")
			}
		}
	}
}

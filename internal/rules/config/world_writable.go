package config

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var openMode = regexp.MustCompile(`\bchmod\s+(-\S+\s+)*(0?777|a\+rwx|ugo\+rwx|a=rwx)\s+(/?[\w./-]+)`)

var scratch = regexp.MustCompile(`^/(tmp|run|var/run|var/tmp|var/log|var/cache)(/|$)`)

func (*checks) WorldWritable(p *rule.Pass) {
	for _, in := range instructions(p) {
		for i, l := range in.lines {
			if m := openMode.FindStringSubmatch(l); in.name == "RUN" && m != nil && !scratch.MatchString(m[3]) {
				p.ReportLine(in.line+i, "")
			}
		}
	}
}

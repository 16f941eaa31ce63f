package config

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	apacheBlock   = regexp.MustCompile(`(?i)^\s*<(Directory|VirtualHost|Location)\b`)
	apacheIndexes = regexp.MustCompile(`(?i)^\s*Options\s(.*\s)?\+?Indexes(\s|$)`)
)

func (*checks) DirectoryListing(p *rule.Pass) {
	for _, d := range nginx(p) {
		if d.name == "autoindex" && len(d.args) == 1 && d.args[0] == "on" {
			p.ReportLine(d.line, "")
		}
	}
	inBlock := false
	for i, line := range p.Lines() {
		if inBlock = inBlock || apacheBlock.MatchString(line); inBlock && apacheIndexes.MatchString(line) {
			p.ReportLine(i+1, "")
		}
	}
}

package config

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) PathAlias(p *rule.Pass) {
	for _, d := range nginx(p) {
		if d.name != "alias" || len(d.args) != 1 || !strings.HasSuffix(d.args[0], "/") || d.parent.name != "location" {
			continue
		}
		of := d.parent.args
		if len(of) == 2 && of[0] == "^~" {
			of = of[1:]
		}
		if len(of) == 1 && strings.HasPrefix(of[0], "/") && !strings.HasSuffix(of[0], "/") {
			p.ReportLine(d.line, "of location "+of[0])
		}
	}
}

package config

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var decodedPath = regexp.MustCompile(`\$\{?(uri|document_uri)\b`)

func (*checks) HeaderInjection(p *rule.Pass) {
	for _, d := range nginx(p) {
		switch {
		case d.name == "return" && len(d.args) == 2 && strings.HasPrefix(d.args[0], "30") && decodedPath.MatchString(d.args[1]),
			d.name == "add_header" && len(d.args) > 1 && decodedPath.MatchString(d.args[1]):
			p.ReportLine(d.line, "")
		}
	}
}

package config

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CORSCredentials(p *rule.Pass) {
	for _, d := range nginx(p) {
		if header(d) != "access-control-allow-origin" || d.args[1] != "$http_origin" || d.parent.name == "if" {
			continue
		}
		for _, other := range d.parent.block {
			if header(other) == "access-control-allow-credentials" && other.args[1] == "true" {
				p.ReportLine(d.line, "")
			}
		}
	}
}

// header is what add_header adds, in lower case, "" for other directives.
func header(d *directive) string {
	if d.name != "add_header" || len(d.args) < 2 {
		return ""
	}
	return strings.ToLower(d.args[0])
}

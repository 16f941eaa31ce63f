package config

import (
	"path"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var displayErrors = regexp.MustCompile(`(?i)^\s*(php_(admin_)?(flag|value)\[)?display_(startup_)?errors\]?\s*=\s*"?(on|1|true|stdout)\b`)

func (*checks) ErrorDetails(p *rule.Pass) {
	reportProperty(p, "server.error.includestacktrace", "always")
	if base := path.Base(p.Path); p.Language != "ini" || !strings.Contains(base, "php") && !strings.Contains(base, "www") || forDevelopers(p) {
		return
	}
	for i, line := range p.Lines() {
		if displayErrors.MatchString(line) {
			p.ReportLine(i+1, "")
		}
	}
}

package config

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) WeakTLS(p *rule.Pass) {
	for _, d := range nginx(p) {
		if d.name != "ssl_protocols" && d.name != "proxy_ssl_protocols" {
			continue
		}
		for _, old := range []string{"SSLv2", "SSLv3", "TLSv1", "TLSv1.1"} {
			if rule.OneOf(old, d.args...) {
				severity := "low"
				if strings.HasPrefix(old, "SSL") {
					severity = "medium"
				}
				p.ReportLineAs(d.line, severity, old)
			}
		}
	}
}

package php

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CookieWithoutHTTPOnly(p *rule.Pass) {
	reportCookies(p, 6, "httponly")
	reportSetting(p, "session.cookie_httponly")
}

// reportSetting reports where the program switches a setting of PHP off.
func reportSetting(p *rule.Pass, name string) {
	p.ReportWhere(p.CallsTo("ini_set"), func(call rule.Node) bool {
		s, _, _ := p.String(p.Arg(call, 0))
		return s == name && rule.OneOf(strings.ToLower(strings.Trim(p.Arg(call, 1).Text(), `"'`)), "0", "false", "off", "")
	})
}

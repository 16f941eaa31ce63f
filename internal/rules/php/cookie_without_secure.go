package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) CookieWithoutSecure(p *rule.Pass) {
	reportCookies(p, 5, "secure")
	reportSetting(p, "session.cookie_secure")
}

package config

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) SessionCookie(p *rule.Pass) {
	reportProperty(p, "server.servlet.session.cookie.httponly", "false")
	reportProperty(p, "server.servlet.session.cookie.secure", "false")
}

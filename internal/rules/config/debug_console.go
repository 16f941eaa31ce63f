package config

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) DebugConsole(p *rule.Pass) {
	reportProperty(p, "spring.h2.console.enabled", "true")
	reportProperty(p, "spring.devtools.remote.secret", "secret", "mysecret", "password", "123456")
}

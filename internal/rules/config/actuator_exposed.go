package config

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ActuatorExposed(p *rule.Pass) {
	if !slices.ContainsFunc(properties(p), func(one property) bool {
		return rule.OneOf(one.key, "management.server.port", "management.server.address", "management.port") ||
			one.key == "management.endpoints.web.exposure.exclude" && one.value != ""
	}) {
		reportProperty(p, "management.endpoints.web.exposure.include", "*", `"*"`, "'*'")
		reportProperty(p, "management.security.enabled", "false")
	}
}

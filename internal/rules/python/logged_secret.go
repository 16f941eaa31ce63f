package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) LoggedSecret(p *rule.Pass) {
	logger := regexp.MustCompile(`(^|\.)(logging|logger|log|_logger|_log|LOG|LOGGER)\.(debug|info|warning|warn|error|exception|critical)$`)
	secret := regexp.MustCompile(`^(password|passwd|pwd|api_?key|secret_key|access_token|auth_token|client_secret|private_key|passphrase)$`)
	for _, call := range p.Calls() {
		if !logger.MatchString(p.Callee(call)) {
			continue
		}
		for _, a := range p.Args(call) {
			parts := []piece{{node: a}}
			if p.IsString(a) || a.Kind() == "binary_operator" || strings.HasSuffix(p.Callee(a), ".format") {
				parts, _ = pieces(p, a)
			}
			for _, q := range parts {
				if q.node.Is("identifier", "attribute", "subscript") && secret.MatchString(strings.ToLower(lastWord(q.node))) {
					p.Report(call, q.node.Text())
				}
			}
		}
	}
}

package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) HardCodedSecret(p *rule.Pass) {
	if strings.HasSuffix(p.Path, "routes.rb") { // whose pairs map paths to actions
		return
	}
	rule.CheckSecrets(p)
	for _, call := range p.MethodCalls("set") { // set :session_secret, "..."
		name := strings.TrimPrefix(p.Arg(call, 0).Text(), ":")
		if v, holes, ok := p.String(p.Arg(call, 1)); ok && !holes && rule.KeyInUse(name, v) {
			p.Report(p.Arg(call, 1), "value of "+name)
		}
	}
}

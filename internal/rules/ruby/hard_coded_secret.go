package ruby

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) HardCodedSecret(p *rule.Pass) {
	if !strings.HasSuffix(p.Path, "routes.rb") { // whose pairs map paths to actions
		rule.CheckSecrets(p)
	}
}

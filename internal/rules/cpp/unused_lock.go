package cpp

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var namelessLock = regexp.MustCompile(`^(std::)?(lock_guard|unique_lock|scoped_lock|` +
	`shared_lock)\s*<[^;{}()]*>\s*[({]\s*[\w.>\-]+\s*[)}];$`)

func (*checks) UnusedLock(p *rule.Pass) {
	p.ReportWhere(p.Nodes("expression_statement"), func(n rule.Node) bool { return namelessLock.MatchString(n.Text()) })
}

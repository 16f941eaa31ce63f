package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var requestName = regexp.MustCompile(`(?i)^(fetch\w*|request|get|post|send|download)$`)

// HostCheckDropped deletes the test of the host before a request. The program then fetches whatever address it is told,
// those inside its own network too.
func (*operators) HostCheckDropped(f file) {
	for n := range f.Root.Find("if_statement") {
		cond := n.ChildByField("condition").Text()
		if !strings.Contains(cond, ".host") || !leaves(n) ||
			!strings.Contains(cond, ".has(") && !strings.Contains(cond, ".includes(") && !strings.Contains(cond, ".endsWith(") {
			continue
		}
		requests := syntax.Any(function(n).Find("call_expression"), func(call syntax.Node) bool {
			_, name := callee(call)
			return call.Start() > n.End() && requestName.MatchString(name)
		})
		if e, ok := f.dropped(n); ok && requests {
			f.Report(e,
				"%s sends its request without the check %s, so an address from outside reaches hosts of the internal network.", where(n), short(cond))
		}
	}
}

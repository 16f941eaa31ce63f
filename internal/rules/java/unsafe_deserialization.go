package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) UnsafeDeserialization(p *rule.Pass) {
	p.ReportWhere(p.News(), func(n rule.Node) bool {
		text := outermost(p, n).Text()
		return rule.OneOf(callee(p, n), "ObjectInputStream", "XMLDecoder") && n.Parent().Kind() != "class_body" &&
			strings.Contains(text, "readObject") && !strings.Contains(text, "ObjectInputFilter") && networkFlow(p).AnyTainted(p.Args(n))
	})
}

// networkFlow is the flow of bytes that arrive through a socket or a request.
func networkFlow(p *rule.Pass) *rule.Flow {
	network := regexp.MustCompile(`(?i)(socket|conn(ection)?|client|req(uest)?|channel|exchange)$`)
	return rule.Memo(p, "java.network", func() *rule.Flow {
		return p.Flow(rule.Taint{
			Parameter: bound,
			Source: func(n rule.Node) bool {
				if n.Kind() == "method_invocation" && p.Method(n) == "getInputStream" {
					return network.MatchString(receiver(n).Text()) || isOf(p, receiver(n), "Socket")
				}
				return p.UserInput(n)
			},
			Propagate: func(_ rule.Node, callee string) bool {
				return strings.HasSuffix(callee, "InputStream") || callee == "String" || strings.HasSuffix(callee, ".decode") ||
					strings.HasSuffix(callee, "decodeBase64")
			},
		})
	})
}

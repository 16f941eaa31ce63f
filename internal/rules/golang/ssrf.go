package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// SSRF looks for requests sent to an address the client chose. A value that
// only fills a path after a constant host is left alone.
func (*checks) SSRF(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		i := 0
		switch {
		case callTo(p, call, "net/http", "Get", "Head", "Post", "PostForm"):
		case callTo(p, call, "net/http", "NewRequest"):
			i = 1
		case callTo(p, call, "net/http", "NewRequestWithContext"):
			i = 2
		default:
			continue
		}
		if i < len(args) && requestFlow(p).Tainted(args[i]) && !hostFixed(p, args[i]) {
			p.Report(call, "")
		}
	}
}

var hostInText = regexp.MustCompile(`^[a-z]+://[^/%]+/`)

// hostFixed tells whether an address begins with something the client does not
// choose: a literal scheme and host, or a value that is not request text.
func hostFixed(p *rule.Pass, n rule.Node) bool {
	n = rule.Bare(n)
	if n.Kind() == "identifier" {
		vs := values(p.Scope(n), n.Text())
		for _, v := range vs {
			if v.names != 1 || v.expr.Kind() == "identifier" || !hostFixed(p, v.expr) {
				return false
			}
		}
		return len(vs) > 0
	}
	if n.Kind() == "call_expression" && callTo(p, n, "fmt", "Sprintf") && len(p.Args(n)) > 1 {
		format, _, _ := p.String(p.Args(n)[0])
		return hostInText.MatchString(format) || strings.HasPrefix(format, "%s") && !requestFlow(p).Tainted(p.Args(n)[1])
	}
	first := operands(n)[0]
	if first == n {
		return false
	}
	if s, _, ok := p.String(first); ok {
		return hostInText.MatchString(s)
	}
	return !requestFlow(p).Tainted(first)
}

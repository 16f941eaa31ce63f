package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CORSCredentials(p *rule.Pass) {
	for _, call := range p.MethodCalls("allowedOriginPatterns", "allowedOrigins", "setAllowedOriginPatterns", "setAllowedOrigins",
		"addAllowedOriginPattern", "addAllowedOrigin") {
		if !anyOrigin(p, p.Arg(call, 0), 0) {
			continue
		}
		scope := rule.Either(outermost(p, call), p.Tree.Root())
		if rule.Any(scope.Find("method_invocation"), func(other rule.Node) bool {
			return rule.OneOf(other.ChildByField("name").Text(), "allowCredentials", "setAllowCredentials") &&
				rule.OneOf(p.Arg(other, 0).Text(), "true", "Boolean.TRUE")
		}) {
			p.ReportLine(call.ChildByField("name").Line(), "")
		}
	}
	for _, a := range p.Nodes("annotation") {
		text := strings.ReplaceAll(a.ChildByField("arguments").Text(), " ", "")
		if a.ChildByField("name").Text() == "CrossOrigin" && strings.Contains(text, `allowCredentials="true"`) &&
			(strings.Contains(text, `originPatterns="*"`) || strings.Contains(text, `origins="*"`)) {
			p.Report(a, "")
		}
	}
}

// anyOrigin tells whether an argument is "*", or a list of it.
func anyOrigin(p *rule.Pass, n rule.Node, depth int) bool {
	if s, _, ok := p.String(n); ok {
		return s == "*"
	}
	return p.IsCall(n) && depth < 3 && rule.OneOf(callee(p, n), "List.of", "Arrays.asList", "Collections.singletonList", "Set.of") &&
		anyOrigin(p, p.Arg(n, 0), depth+1)
}

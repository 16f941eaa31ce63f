package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) CharEOF(p *rule.Pass) {
	for _, n := range p.Operations("==", "!=") {
		if n.ChildByField("right").Text() != "EOF" {
			continue
		}
		left := rule.Bare(n.ChildByField("left"))
		if left.Kind() == "assignment_expression" {
			left = left.ChildByField("left")
		}
		function := p.Function(n)
		v, ok := variables(p, function)[left.Text()]
		if !ok || v.pointers > 0 || v.array || v.param || !strings.HasSuffix(v.typ, "char") {
			continue
		}
		if slices.ContainsFunc(p.Assignments(function), func(a rule.Assignment) bool {
			return a.Target.Text() == v.name && rule.OneOf(p.Callee(rule.Bare(a.Value)), "getchar", "getc", "fgetc", "getc_unlocked",
				"getchar_unlocked")
		}) {
			p.Report(n, "")
		}
	}
}

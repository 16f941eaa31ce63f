package cpp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var newArray = regexp.MustCompile(`\bnew\s+[\w:<>,* ]*\[`)

func (*checks) DeleteMismatch(p *rule.Pass) {
	for _, d := range p.Nodes("delete_expression") {
		name := d.NamedChild(d.NumNamed() - 1)
		made, once := made(p, name)
		if !name.Is("identifier") || !once || broken(p.Function(d)) {
			continue
		}
		array := strings.HasPrefix(strings.ReplaceAll(strings.TrimPrefix(d.Text(), "::"), " ", ""), "delete[]")
		switch {
		case made.Is("new_expression"):
			many := newArray.MatchString(made.Parent().Text())
			if many != array && !made.ChildByField("placement").Valid() && (many || made.ChildByField("type").Is("primitive_type") ||
				made.ChildByField("arguments").Valid()) {
				p.Report(d, name.Text())
			}
		case p.IsCall(made) && rule.OneOf(p.Callee(made), "malloc", "calloc", "strdup", "realloc", "std.malloc"):
			p.Report(d, p.Callee(made))
		}
	}
}

// made is what the function gives the variable, where it does so once.
func made(p *rule.Pass, name rule.Node) (value rule.Node, once bool) {
	times := 0
	for _, a := range p.Assignments(p.Scope(name)) {
		if strings.TrimLeft(a.Target.Text(), "*& ") == name.Text() {
			value, times = rule.Bare(a.Value), times+1
		}
	}
	return value, times == 1
}

// broken tells whether some of n did not parse.
func broken(n rule.Node) bool {
	return rule.Within(n, func(c rule.Node) bool { return c.IsError() || c.IsMissing() })
}

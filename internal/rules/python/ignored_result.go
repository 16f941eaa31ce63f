package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) IgnoredResult(p *rule.Pass) {
	for _, n := range p.Nodes("expression_statement") {
		call := n.NamedChild(0)
		if n.NumNamed() != 1 || call.Kind() != "call" || n.Enclosing("try_statement", "with_statement").Valid() {
			continue
		}
		args := p.Args(call)
		only := call.ChildByField("arguments").NumNamed() == len(args)
		f := call.ChildByField("function")
		switch {
		case f.Kind() == "identifier":
			if (f.Text() == "sorted" || f.Text() == "reversed") && len(args) == 1 {
				p.Report(n, "")
			}
		case f.Kind() == "attribute" && only:
			text := func(i int) bool { return i < len(args) && p.IsString(args[i]) }
			switch m := f.ChildByField("attribute").Text(); {
			case rule.OneOf(m, "strip", "lstrip", "rstrip", "lower", "upper", "title", "swapcase", "casefold") &&
				(len(args) == 0 || text(0)) && textLike(p, f.ChildByField("object")),
				m == "replace" && len(args) == 2 && text(0) && text(1):
				p.Report(n, "")
			}
		}
	}
}

// textLike tells whether a name is seen to hold text: by its annotation, or by what it was given.
func textLike(p *rule.Pass, n rule.Node) bool {
	if n.Kind() != "identifier" {
		return p.IsString(n)
	}
	if slices.ContainsFunc(p.Parameters(p.Scope(n)), func(prm rule.Node) bool {
		return prm.Is("typed_parameter", "typed_default_parameter") && slices.Contains(p.Names(prm), n.Text()) &&
			prm.ChildByField("type").Text() == "str"
	}) {
		return true
	}
	v, ok := assigned(p, n, n)
	if !ok {
		return false
	}
	if _, built := pieces(p, v); built || p.IsString(v) {
		return true
	}
	return v.Kind() == "call" && rule.OneOf(rule.LastName(p.Callee(v)), "input", "str", "repr", "decode", "readline", "join", "format",
		"getline", "getenv")
}

package rust

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) Uninitialized(p *rule.Pass) {
	for _, c := range p.Calls() {
		name := p.Callee(c)
		switch {
		case rule.OneOf(name, "mem.uninitialized", "std.mem.uninitialized", "core.mem.uninitialized"):
		case strings.HasSuffix(name, "MaybeUninit.uninit.assume_init"):
		default:
			continue
		}
		let := c.Enclosing("let_declaration", "function_item")
		typ := let.ChildByField("type").Text() + let.ChildByField("return_type").Text()
		if !strings.Contains(typ, "MaybeUninit") && !strings.Contains(c.Text(), "[MaybeUninit") && !strings.Contains(typ, "UninitArray") {
			p.Report(c, "")
		}
	}
}

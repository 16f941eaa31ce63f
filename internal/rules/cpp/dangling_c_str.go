package cpp

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) DanglingCStr(p *rule.Pass) {
	for _, d := range p.Nodes("init_declarator") {
		v := d.ChildByField("value")
		if !d.ChildByField("declarator").Is("pointer_declarator") || !p.IsCall(v) || !rule.OneOf(p.Method(v), "c_str", "data") {
			continue
		}
		from := v.ChildByField("function").ChildByField("argument")
		whole := from
		from = rule.Bare(from)
		sum := whole.Is("parenthesized_expression") && from.Is("binary_expression") && from.Operator() == "+" &&
			rule.Any(from.Find("string_literal"), rule.Node.Valid)
		if sum || p.IsCall(from) && (rule.OneOf(p.Callee(from), "std.to_string", "to_string", "std.string") || p.Method(from) == "str" &&
			stream(p, from)) {
			p.Report(d, "")
		}
	}
}

// stream tells whether the receiver of str() is declared as a stream here.
func stream(p *rule.Pass, call rule.Node) bool {
	name := call.ChildByField("function").ChildByField("argument").Text()
	return rule.Any(p.Scope(call).Find("declaration", "parameter_declaration"), func(d rule.Node) bool {
		return strings.HasSuffix(d.ChildByField("type").Text(), "stringstream") &&
			strings.TrimLeft(d.ChildByField("declarator").Text(), "& ") == name
	})
}

package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) ReturnLocalAddress(p *rule.Pass) {
	for _, r := range p.Nodes("return_statement") {
		value := rule.Bare(r.NamedChild(0))
		function := p.Function(r)
		// A function that is no pointer function returns the address as a number, say to measure the stack.
		if !value.Valid() || function.ChildByField("declarator").Kind() != "pointer_declarator" {
			continue
		}
		vars := variables(p, function)
		if value.Kind() == "identifier" {
			if v, ok := vars[value.Text()]; ok && v.array && !v.param && !v.static {
				p.Report(r, "")
			}
		}
		if value.Kind() != "pointer_expression" || value.Operator() != "&" {
			continue
		}
		at := rule.Bare(value.ChildByField("argument"))
		direct := true
		for direct {
			switch {
			case at.Kind() == "field_expression" && at.Operator() == ".":
				at = rule.Bare(at.ChildByField("argument"))
				continue
			case at.Kind() == "subscript_expression":
				at = rule.Bare(at.ChildByField("argument"))
				v, ok := vars[at.Text()]
				direct = ok && v.array && v.pointers == 0
				continue
			}
			break
		}
		if v, ok := vars[at.Text()]; direct && at.Kind() == "identifier" && ok && !v.static && (!v.param || !v.array) {
			p.Report(r, "")
		}
	}
}

package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) OffByOne(p *rule.Pass) {
	for _, loop := range p.Nodes("for_statement") {
		c := loop.ChildByField("condition")
		if c.Kind() != "binary_expression" || c.Operator() != "<=" || c.ChildByField("left").Kind() != "identifier" {
			continue
		}
		index, body := c.ChildByField("left").Text(), loop.ChildByField("body")
		container := ""
		switch bound := rule.Bare(c.ChildByField("right")); {
		case bound.Kind() == "field_access" && bound.ChildByField("field").Text() == "length":
			container = bound.ChildByField("object").Text()
		case p.IsCall(bound) && (p.Method(bound) == "size" || p.Method(bound) == "length"):
			container = receiver(bound).Text()
		}
		if container == "" || rule.Watched(body, index, "break_statement", "return_statement", "throw_statement", "assignment_expression") {
			continue
		}
		for n := range body.Find("array_access", "method_invocation") {
			element := n.Kind() == "array_access" && n.ChildByField("array").Text() == container && n.ChildByField("index").Text() == index
			if m := p.Method(n); n.Kind() == "method_invocation" {
				element = (m == "get" || m == "charAt") && receiver(n).Text() == container && p.Arg(n, 0).Text() == index
			}
			if element {
				p.Report(c, "")
				break
			}
		}
	}
}

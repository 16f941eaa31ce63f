package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func (*checks) AssertTuple(p *rule.Pass) {
	for _, n := range p.Nodes("assert_statement") {
		if n.NumNamed() == 0 {
			continue
		}
		switch c := n.NamedChild(0); c.Kind() {
		case "tuple":
			if c.NumNamed() > 1 {
				p.Report(n, "")
			}
		case "string", "concatenated_string":
			if v, holes, _ := p.String(c); v != "" && !holes && n.NumNamed() == 1 {
				p.Report(n, "")
			}
		case "comparison_operator":
			if left, op, right := comparison(c); op == "==" && left.Kind() == "integer" && left.Text() == right.Text() {
				p.Report(n, "")
			}
		}
	}
	for _, call := range p.CallsTo("self.assertTrue") {
		at, second := p.Arg(call, 0), p.Arg(call, 1)
		if second.Is("integer", "float", "list") {
			p.Report(call, "the second argument is a message, not a value to compare with")
			continue
		}
		if call.Enclosing("try_statement", "if_statement", "with_statement").Valid() {
			continue // marks a branch that was reached
		}
		if left, op, right := comparison(at); at.Text() == "True" ||
			op == "==" && left.Text() == right.Text() && (left.Kind() == "integer" || left.Kind() == "string") {
			p.Report(call, "")
		}
	}
}

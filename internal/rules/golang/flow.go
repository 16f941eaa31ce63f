package golang

import "github.com/deeprepo/deeprepo/internal/rules/rule"

// terminates tells whether control never reaches what stands after the
// statement: it returns, panics, exits, or leaves the loop on every path.
func terminates(n rule.Node) bool {
	switch n.Kind() {
	case "return_statement", "goto_statement", "break_statement", "continue_statement":
		return true
	case "block":
		ss := n.Statements()
		return len(ss) > 0 && terminates(ss[len(ss)-1])
	case "expression_statement":
		call := n.NamedChild(0)
		if call.Kind() != "call_expression" {
			return false
		}
		f := call.ChildByField("function")
		if f.Text() == "panic" {
			return true
		}
		_, name := selector(f)
		return rule.OneOf(name, "Exit", "Fatal", "Fatalf", "Fatalln", "FailNow", "Panic", "Panicf", "Goexit", "Skip", "Skipf", "SkipNow")
	case "if_statement":
		alt := n.ChildByField("alternative")
		return alt.Valid() && terminates(n.ChildByField("consequence")) && terminates(alt)
	case "expression_switch_statement", "type_switch_statement", "select_statement":
		hasDefault := n.Kind() == "select_statement"
		for c := range n.NamedChildren() {
			switch c.Kind() {
			case "default_case", "expression_case", "type_case", "communication_case":
				hasDefault = hasDefault || c.Kind() == "default_case"
				if last := lastIn(c); last.Is("break_statement") || !terminates(last) {
					return false
				}
			}
		}
		return hasDefault
	}
	return false
}

// lastIn is the last statement of a case, or of a block, the zero Node when it has none.
func lastIn(n rule.Node) rule.Node {
	var last rule.Node
	for s := range n.NamedChildren() {
		if ss := s.Statements(); s.Is("statement_list") && len(ss) > 0 {
			last = ss[len(ss)-1]
		}
	}
	return last
}

package python

import "github.com/deeprepo/deeprepo/internal/syntax"

// OrToAnd refuses only what is wrong in two ways at once.
func (*operators) OrToAnd(s *source) {
	for _, n := range s.nodes("if_statement") {
		cond := n.ChildByField("condition")
		if cond.Kind() == "parenthesized_expression" && cond.NumNamed() == 1 {
			cond = cond.NamedChild(0)
		}
		raised, ok := guard(n)
		op := cond.ChildByField("operator")
		if !ok || cond.Kind() != "boolean_operator" || op.Text() != "or" || cond.ChildByField("left").Kind() == "boolean_operator" ||
			cond.ChildByField("right").Kind() == "boolean_operator" {
			continue
		}
		if s.asked(n, cond.ChildByField("left").Text()) || s.asked(n, cond.ChildByField("right").Text()) {
			continue // a guard above has answered one of the two already
		}
		s.Report(s.Replace(op, "and"), "%s raises only when both `%s` and `%s` hold: what fails one of them is let through to what follows.",
			where(raised), short(cond.ChildByField("left")), short(cond.ChildByField("right")))
	}
}

// asked says whether a guard before n, in the same function, raises on a condition alone.
func (s *source) asked(n syntax.Node, condition string) bool {
	fn := n.Enclosing("function_definition")
	for _, other := range s.nodes("if_statement") {
		if _, ok := guard(other); ok && other.Start() < n.Start() && other.Enclosing("function_definition") == fn &&
			other.ChildByField("condition").Text() == condition {
			return true
		}
	}
	return false
}

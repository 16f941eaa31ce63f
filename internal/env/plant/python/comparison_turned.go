package python

// ComparisonTurned asks the opposite of what was meant.
func (*operators) ComparisonTurned(s *source) {
	turned := map[string]string{"<": ">", ">": "<", "<=": ">=", ">=": "<="}
	for _, n := range s.nodes("comparison_operator") {
		if n.NumNamed() != 2 || !n.Enclosing("function_definition").Valid() {
			continue
		}
		op := n.NamedChild(0).NextSibling()
		to, ok := turned[op.Text()]
		_, guards := guard(n.Parent())
		if !ok || !guards && n.Parent().Kind() != "return_statement" {
			continue
		}
		what := "answers"
		if guards {
			what = "refuses"
		}
		s.Report(s.Replace(op, to),
			"%s %s by the wrong comparison: `%s %s %s` should be %s.", where(n), what, short(n.NamedChild(0)), to, short(n.NamedChild(1)), op.Text())
	}
}

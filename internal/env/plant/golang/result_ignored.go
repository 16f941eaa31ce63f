package golang

// ResultIgnored calls a function of package strings and throws its result away: strings never change in place.
func (*operators) ResultIgnored(s *source) {
	for _, n := range s.kinds["assignment_statement"] {
		left, right := n.ChildByField("left").Elements(), n.ChildByField("right").Elements()
		if len(left) != 1 || len(right) != 1 || n.Operator() != "=" || n.Line() != n.EndLine() ||
			!s.callTo(right[0], "strings", "TrimSpace", "ToLower", "ToUpper", "TrimPrefix", "TrimSuffix", "ReplaceAll", "Trim", "TrimRight",
				"TrimLeft") {
			continue
		}
		if args := arguments(right[0]); len(args) == 0 || args[0].Text() != left[0].Text() || n.Parent().Kind() != "statement_list" {
			continue
		}
		_, name := method(right[0])
		s.reportWhole(s.Replace(n, right[0].Text()),
			"%s throws the result of strings.%s away, so %s stays as it was.", nameOf(function(n)), name, left[0].Text())
	}
}

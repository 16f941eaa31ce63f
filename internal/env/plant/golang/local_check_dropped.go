package golang

// LocalCheckDropped takes out the check that a name stays below the directory it is joined to.
func (*operators) LocalCheckDropped(s *source) {
	for _, g := range s.guards() {
		call := g.condition.NamedChild(0)
		if g.condition.Kind() != "unary_expression" || !s.callTo(call, "path/filepath", "IsLocal") || len(arguments(call)) != 1 {
			continue
		}
		s.reportWithout(g, "%s joins %s to a directory without checking that it stays inside, so .. in it reaches any file.",
			nameOf(function(call)), arguments(call)[0].Text())
	}
}

package python

// MissingIsFine ignores the one error that says there is nothing to remove.
func (*operators) MissingIsFine(s *source) {
	for _, n := range s.nodes("expression_statement") {
		c := n.NamedChild(0)
		indent, ok := s.indent(n)
		if c.Kind() != "call" || !ok || lines(c.Text()) > 1 || n.NumNamed() != 1 {
			continue
		}
		step := "    "
		a := args(c)
		var text, why string
		switch {
		case method(c) == "pop" && len(a) == 2 && a[1].Kind() == "none" && named(object(c)):
			text, why = "del "+object(c).Text()+"["+a[0].Text()+"]", "KeyError"
		case method(c) == "unlink" && keyword(c, "missing_ok").Text() == "True" && named(object(c)):
			text, why = object(c).Text()+".unlink()", "FileNotFoundError"
		default:
			continue
		}
		s.Report(s.Replace(n, "try:\n"+indent+step+text+"\n"+indent+"except "+why+":\n"+indent+step+"pass"),
			"%s ignores only %s, which says that what it removes is gone already; any other error is passed on.", where(n), why)
	}
}

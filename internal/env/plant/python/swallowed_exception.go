package python

import "regexp"

var boundName = regexp.MustCompile(`\s+as\s+\w+\s*$`)

// SwallowedException drops an error that was passed on.
func (*operators) SwallowedException(s *source) {
	for _, n := range s.nodes("except_clause") {
		block := body(n)
		raised := one(block)
		fn := n.Enclosing("function_definition")
		if raised.Kind() != "raise_statement" || raised.NumNamed() == 0 || !fn.Valid() || !s.alone(n) || raised.Line() == n.Line() {
			continue
		}
		header := ""
		for c := n.NamedChild(0); c.Valid() && c.Kind() != "block"; c = c.NextSibling() {
			if c.Named() && c.Kind() != "comment" {
				header = s.Text[n.Start():c.End()]
			}
		}
		indent, _ := s.indent(raised)
		instead := "pass"
		if returnsValue(fn) {
			instead = "return None"
		}
		if header == "" || lines(header) > 3 {
			continue
		}
		s.Report(s.Edit(n.Start(), raised.End(), boundName.ReplaceAllString(header, "")+":\n"+indent+instead),
			"%s swallows the error that it used to pass on with `%s`: its caller goes on as if nothing had happened.", where(n), short(raised))
	}
}

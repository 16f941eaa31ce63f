package golang

import "strings"

// EscapeDropped writes a value into HTML as it is.
func (*operators) EscapeDropped(s *source) {
	for call, args := range s.calls() {
		if !s.callTo(call, "html", "EscapeString") && !s.callTo(call, "html/template", "HTMLEscapeString") || len(args) != 1 ||
			!strings.Contains(statement(call).Text(), "<") {
			continue
		}
		value := args[0].Text()
		if args[0].Kind() == "binary_expression" {
			value = "(" + value + ")"
		}
		e := s.Replace(call, value)
		edits, ok := s.tidy(e)
		if !ok || strings.Contains(value, "\n") || len(value) > 60 {
			continue
		}
		s.ReportAll(edits,
			"%s writes %s into HTML without escaping it, so markup in it runs in the reader's browser.", nameOf(function(call)), value)
	}
}

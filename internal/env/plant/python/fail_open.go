package python

import "regexp"

var decides = regexp.MustCompile(`(?i)(^|_)(may|can|allow|allowed|permit|permitted|valid|verify|verified|genuine|trusted|check|admits?|` +
	`accept|accepts|accepted|owns|fits|open_to|entitled)(_|$)`)

// FailOpen says yes when the question could not be answered.
func (*operators) FailOpen(s *source) {
	for _, n := range s.nodes("except_clause") {
		r := one(body(n))
		fn := n.Enclosing("function_definition")
		if r.Kind() != "return_statement" || r.NumNamed() != 1 || r.NamedChild(0).Kind() != "false" ||
			!decides.MatchString(fn.ChildByField("name").Text()) {
			continue
		}
		s.Report(s.Replace(r.NamedChild(0), "True"),
			"%s answers yes when its check fails with an error: what could not be checked counts as good.", qualified(fn))
	}
}

package python

import "regexp"

var containment = regexp.MustCompile(`is_relative_to\(|commonpath\(|commonprefix\(|\.parents\b|startswith\(.*(root|base|folder|directory|` +
	`os\.sep)`)

// PathCheck removes the test that a path stays inside its folder.
func (*operators) PathCheck(s *source) {
	for _, n := range s.nodes("if_statement") {
		cond := n.ChildByField("condition")
		if _, ok := guard(n); !ok || !containment.MatchString(cond.Text()) || !n.Enclosing("function_definition").Valid() {
			continue
		}
		if e, ok := s.drop(n); ok {
			s.Report(e, "%s uses a path without checking that it stays in its folder (`%s` is no longer asked): a name with .. reaches any file.",
				where(n), short(cond))
		}
	}
}

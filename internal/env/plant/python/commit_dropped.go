package python

import (
	"regexp"
	"strings"
)

var changesRows = regexp.MustCompile(`(?is)["']\s*(insert|update|delete|replace)\s`)

// CommitDropped forgets to make a change of the database last.
func (*operators) CommitDropped(s *source) {
	for _, n := range s.nodes("expression_statement") {
		c := n.NamedChild(0)
		fn := n.Enclosing("function_definition")
		if c.Kind() != "call" || method(c) != "commit" || len(args(c)) != 0 || !fn.Valid() {
			continue
		}
		before := s.Text[fn.Start():n.Start()]
		if !strings.Contains(before, ".execute") || !changesRows.MatchString(before) || strings.Count(fn.Text(), ".commit(") != 1 {
			continue
		}
		if e, ok := s.drop(n); ok {
			s.Report(e, "%s changes rows and never commits: the change is lost when the connection closes.", where(n))
		}
	}
}

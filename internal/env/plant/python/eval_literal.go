package python

import "strings"

// EvalLiteral runs what was only to be read.
func (*operators) EvalLiteral(s *source) {
	for _, c := range s.nodes("call") {
		if method(c) != "literal_eval" || len(args(c)) != 1 || strings.Contains(s.Text, "ast.parse(") { // parsed nodes are no text
			continue
		}
		s.Report(s.Replace(c.ChildByField("function"), "eval"),
			"%s evaluates `%s` as Python instead of reading a literal: whoever writes it runs any code.", where(c), short(args(c)[0]))
	}
}

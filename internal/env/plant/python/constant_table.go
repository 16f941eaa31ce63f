package python

import (
	"regexp"
	"strings"
)

var tableName = regexp.MustCompile(`(?i)\b(?:from|into|update)\s+([a-z_][a-z0-9_]*)\b`)

// ConstantTable puts a constant into the text of a statement; values stay parameters.
func (*operators) ConstantTable(s *source) {
	for c, a := range s.calls() {
		if method(c) != "execute" || len(a) != 2 {
			continue
		}
		text, delimiter, ok := plainString(a[0])
		m := tableName.FindStringSubmatchIndex(text)
		fn := c.Enclosing("function_definition")
		stmt := c.Enclosing("expression_statement", "return_statement")
		if !ok || m == nil || !sqlVerb.MatchString(text) || strings.ContainsAny(text, "{}") || !fn.Valid() || !stmt.Valid() ||
			stmt.Parent().Parent() != fn || strings.Contains(fn.Text(), "table") {
			continue
		}
		indent, ok := s.indent(stmt)
		if !ok {
			continue
		}
		quote := delimiter[:1]
		written := "table = " + quote + text[m[2]:m[3]] + quote + "\n" + indent + s.Text[stmt.Start():a[0].Start()] +
			"f" + delimiter + text[:m[2]] + "{table}" + text[m[3]:] + delimiter
		if lines(written) > 6 {
			continue
		}
		s.Report(s.Edit(stmt.Start(), a[0].End(), written),
			"The only thing put into the text of the statement in %s is the constant %q; every value travels as a parameter.", where(c),
			text[m[2]:m[3]])
	}
}

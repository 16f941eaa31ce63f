package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// SQLConcat writes a string argument of a query into its text instead of binding it.
func (*operators) SQLConcat(s *source) {
	for _, call := range s.kinds["call_expression"] {
		_, name := method(call)
		args := arguments(call)
		if !slices.Contains([]string{"QueryContext", "QueryRowContext", "ExecContext"}, name) || len(args) < 3 {
			continue
		}
		query, bound := args[1], args[2:]
		parts := strings.Split(query.Text(), "?")
		if !strings.HasSuffix(query.Kind(), "string_literal") || len(parts) != len(bound)+1 {
			continue
		}
		i := slices.IndexFunc(bound, func(a syntax.Node) bool { return a.Kind() == "identifier" && isString(a) })
		if i < 0 {
			continue
		}
		quote := query.Text()[:1]
		text := strings.Join(parts[:i+1], "?") + "'" + quote + "+" + bound[i].Text() + "+" + quote + "'" + strings.Join(parts[i+1:], "?")
		for j, a := range bound {
			if j != i {
				text += ", " + a.Text()
			}
		}
		s.Report(s.Edit(query.Start(), bound[len(bound)-1].End(), text),
			"%s writes %s into the SQL text instead of binding it, so its value can change the statement (SQL injection).", nameOf(function(call)),
			bound[i].Text())
	}
}

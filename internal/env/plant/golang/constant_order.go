package golang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

var orderBy = regexp.MustCompile(`ORDER BY ([a-z_]+)`)

// ConstantOrder puts a column's name into a query from a constant: it looks like an injection and is right.
func (*operators) ConstantOrder(s *source) {
	for _, call := range s.kinds["call_expression"] {
		_, name := method(call)
		fn := function(call)
		if !slices.Contains([]string{"Query", "QueryRow", "QueryContext", "QueryRowContext"}, name) || fn.Mentions("sortColumn") {
			continue
		}
		for literal := range call.ChildByField("arguments").Find("interpreted_string_literal", "raw_string_literal") {
			at := orderBy.FindStringSubmatchIndex(literal.Text())
			st := statement(call)
			if at == nil || !st.Valid() || strings.TrimSpace(s.Text[s.LineStart(st.Start()):st.Start()]) != "" {
				continue
			}
			text, quote := literal.Text(), literal.Text()[:1]
			column := text[at[2]:at[3]]
			plus := " + "
			if len(arguments(call)) > 1 { // as gofmt writes it
				plus = "+"
			}
			e := s.Replace(literal, strings.TrimSuffix(text[:at[2]]+quote+plus+"sortColumn"+plus+quote+text[at[3]:], plus+quote+quote))
			head := s.Edit(st.Start(), st.Start(), fmt.Sprintf("const sortColumn = %q\n%s", column, s.indent(st)))
			s.ReportAll(e.And(head),
				"%s puts sortColumn into its query, which is a constant of the function: nothing from outside gets in.", nameOf(fn))
			break
		}
	}
}

package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var orderClause = regexp.MustCompile(`ORDER BY ([a-z_]+( DESC| ASC)?(, ?[a-z_]+)*)`)

// OrderConstant puts an ORDER BY into a statement with +, out of a local constant: no text from outside gets there.
func (*operators) OrderConstant(f file) {
	for l := range f.Root.Find("string_literal") {
		at := orderClause.FindStringSubmatchIndex(l.Text())
		statement := l.Enclosing("try_with_resources_statement", "local_variable_declaration", "return_statement", "expression_statement")
		m := method(l)
		if at == nil || !statement.Valid() || !m.Valid() || m.Mentions("order") || statement.Parent().Kind() != "block" || l.Text()[:2] == `""` {
			continue
		}
		text, columns := l.Text(), l.Text()[at[2]:at[3]]
		end := ` + "` + text[at[3]:]
		if text[at[3]:] == `"` {
			end = ""
		}
		f.ReportAll([]plant.Edit{
			f.Replace(l, text[:at[2]]+`" + order`+end),
			f.Edit(statement.Start(), statement.Start(), fmt.Sprintf("String order = %q;\n%s", columns, f.Indent(statement.Start()))),
		}, "%s concatenates order into its SQL, which is a constant of the method: no text from outside reaches it", methodName(l))
	}
}

package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var orderBy = regexp.MustCompile(`(?i)ORDER BY (\w+)`)

// ConstantColumn builds a statement's text from a constant of the function: it looks like pasted input and is the same
// text on every call.
func (*operators) ConstantColumn(f file) {
	for n := range f.Root.Find("string", "template_string") {
		text, ok := stringText(n)
		m := orderBy.FindStringSubmatchIndex(text)
		if !ok || m == nil || !sqlText.MatchString(text) || strings.ContainsAny(text, "\\`") ||
			n.Parent().Kind() != "arguments" || lines(text) > maxLines {
			continue
		}
		fn, s := function(n), statement(n)
		if !fn.Valid() || mentions(fn, "column") || s.Parent() == n.Tree().Root() {
			continue
		}
		column := text[m[2]:m[3]]
		end := ";"
		if semicolon(s) == "" {
			end = ""
		}
		quote := "'"
		if n.Text()[0] == '"' || strings.Contains(f.Text, "from \"") {
			quote = "\""
		}
		edits := []plant.Edit{
			f.Replace(n, "`"+text[:m[2]]+"${column}"+text[m[3]:]+"`"),
			f.Edit(s.Start(), s.Start(), "const column = "+quote+column+quote+end+f.newline()+f.Indent(s.Start())),
		}
		f.ReportAll(edits, "column is the constant %q in %s, so no value from outside gets into the text of the statement.", column, where(n))
	}
}

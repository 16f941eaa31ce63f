package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// ShellCommand starts a program through a shell, its arguments pasted into one line: what is special to the shell in them,
// a semicolon say, is run.
func (*operators) ShellCommand(f file) {
	for n := range f.Root.Find("object_creation_expression") {
		as := args(n)
		if base(n.ChildByField("type").Text()) != "ProcessBuilder" {
			continue
		}
		if len(as) == 1 && (called(as[0]) == "of" || called(as[0]) == "asList") {
			as = args(as[0])
		}
		open := ""
		for i, a := range as {
			if i > 0 && a.Kind() != "string_literal" {
				open = a.Text()
			}
		}
		if open == "" || len(as) < 2 || strings.Contains(as[0].Text(), "sh\"") {
			continue
		}
		f.Report(f.Replace(n, `new ProcessBuilder("sh", "-c", `+line(as)+")"),
			"%s pastes %s into a line that a shell runs, so that a semicolon or a backquote in it starts other commands", methodName(n), short(open))
	}
}

// line joins arguments into one text with blanks between them.
func line(as []syntax.Node) string {
	var parts []string
	text := ""
	flush := func() {
		if text != "" {
			parts = append(parts, `"`+text+`"`)
			text = ""
		}
	}
	for i, a := range as {
		if i > 0 {
			text += " "
		}
		if a.Kind() == "string_literal" {
			text += a.Text()[1 : len(a.Text())-1]
			continue
		}
		flush()
		parts = append(parts, operand(a))
	}
	flush()
	return strings.Join(parts, " + ")
}

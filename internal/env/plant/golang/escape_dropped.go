package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// escapeDropped writes a value into HTML as it is.
func escapeDropped() plant.Operator {
	const (
		first  = "package a\n\nimport \"html\"\n\nfunc title(s string) string {\n\treturn \"<h1>\" + html.EscapeString(s) + \"</h1>\"\n}\n"
		second = "package a\n\nimport (\n\t\"html/template\"\n\t\"fmt\"\n)\n\nfunc cell(a, b string) string {\n\treturn fmt.Sprintf(`<td>%s</td>`, template.HTMLEscapeString(\n\t\ta + b))\n}\n"
	)
	return plant.Operator{
		Name: "go/escape-dropped", Language: "go", Split: "train", Category: "xss", CWE: "CWE-79", Severity: "high",
		Sites: sites("EscapeString(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				args := arguments(call)
				if !s.callTo(call, "html", "EscapeString") && !s.callTo(call, "html/template", "HTMLEscapeString") || len(args) != 1 || !strings.Contains(statement(call).Text(), "<") {
					continue
				}
				value := args[0].Text()
				if args[0].Kind() == "binary_expression" {
					value = "(" + value + ")"
				}
				e := s.swap(call, value)
				edits, ok := s.tidy(e)
				if !ok || strings.Contains(value, "\n") || len(value) > 60 {
					continue
				}
				out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
					"%s writes %s into HTML without escaping it, so markup in it runs in the reader's browser.", nameOf(function(call)), value)})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, "package a\n\n\nfunc title(s string) string {\n\treturn \"<h1>\" + s + \"</h1>\"\n}\n"),
			sample(second, strings.NewReplacer("\t\"html/template\"\n", "", "template.HTMLEscapeString(\n\t\ta + b)", "(a + b)").Replace(second)),
		},
		Never: []string{
			"package a\n\nfunc title(s string) string { return \"<h1>\" + s + \"</h1>\" }\n",
			"package a\n\nimport \"html\"\n\nfunc clean(s string) string { return html.EscapeString(s) }\n",
			"package a\n\nimport \"html\"\n\nfunc plain(s string) string { return \"<b>\" + html.UnescapeString(s) }\n",
		},
	}
}

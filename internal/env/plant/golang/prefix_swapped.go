package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// prefixSwapped hands a text and what is looked for in it over in the wrong order: both are strings.
func prefixSwapped() plant.Operator {
	const (
		first  = "package a\n\nimport \"strings\"\n\nfunc bearer(h string) bool {\n\treturn strings.HasPrefix(h, \"Bearer \")\n}\n"
		second = "package a\n\nimport str \"strings\"\n\ntype f struct{ path string }\n\nfunc (v f) within(part string) bool {\n\treturn str.Contains(v.path,\n\t\tpart)\n}\n"
	)
	return plant.Operator{
		Name: "go/prefix-swapped", Language: "go", Split: "train", Category: "api-misuse", CWE: "CWE-683", Severity: "medium",
		Sites: sites("strings", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				args := arguments(call)
				if !s.callTo(call, "strings", "HasPrefix", "HasSuffix", "Contains") || len(args) != 2 || args[0].Text() == args[1].Text() || call.EndLine() > call.Line()+1 {
					continue
				}
				if a, b := args[0].Kind(), args[1].Kind(); a != "identifier" && a != "selector_expression" || b != "identifier" && b != "selector_expression" && b != "interpreted_string_literal" {
					continue
				}
				_, name := method(call)
				e := plant.Edit{File: s.path, Start: args[0].Start(), End: args[1].End(), Text: args[1].Text() + ", " + args[0].Text()}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s passes the arguments of strings.%s in the wrong order: it looks for %s in %s.", nameOf(function(call)), name, args[0].Text(), one(args[1].Text()))})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "h, \"Bearer \"", "\"Bearer \", h", 1)),
			sample(second, strings.Replace(second, "v.path,\n\t\tpart", "part, v.path", 1)),
		},
		Never: []string{
			"package a\n\nimport \"strings\"\n\nvar yes = strings.Contains(\"abc\", \"b\")\n",
			"package a\n\nimport \"bytes\"\n\nfunc has(a, b []byte) bool { return bytes.Contains(a, b) }\n",
		},
	}
}

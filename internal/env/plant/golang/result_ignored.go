package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// resultIgnored calls a function of package strings and throws its result away: strings never change in place.
func resultIgnored() plant.Operator {
	const (
		first  = "package a\n\nimport \"strings\"\n\nfunc clean(s string) string {\n\ts = strings.TrimSpace(s)\n\treturn s\n}\n"
		second = "package a\n\nimport \"strings\"\n\ntype u struct{ mail string }\n\nfunc (v *u) set(m string) {\n\tv.mail = m; v.mail = strings.ToLower( v.mail )\n}\n"
	)
	return plant.Operator{
		Name: "go/result-ignored", Language: "go", Split: "train", Category: "api-misuse", CWE: "CWE-252", Severity: "medium",
		Sites: sites("strings", func(s *source) []plant.Site {
			var out []plant.Site
			for _, n := range s.kinds["assignment_statement"] {
				left, right := list(n.ChildByField("left")), list(n.ChildByField("right"))
				if len(left) != 1 || len(right) != 1 || n.ChildByField("operator").Text() != "=" || n.Line() != n.EndLine() ||
					!s.callTo(right[0], "strings", "TrimSpace", "ToLower", "ToUpper", "TrimPrefix", "TrimSuffix", "ReplaceAll", "Trim", "TrimRight", "TrimLeft") {
					continue
				}
				if args := arguments(right[0]); len(args) == 0 || args[0].Text() != left[0].Text() || n.Parent().Kind() != "statement_list" {
					continue
				}
				_, name := method(right[0])
				e := s.swap(n, right[0].Text())
				if s.orphans(e) {
					continue
				}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s throws the result of strings.%s away, so %s stays as it was.", nameOf(function(n)), name, left[0].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "s = strings", "strings", 1)),
			sample(second, strings.Replace(second, "v.mail = strings", "strings", 1)),
		},
		Never: []string{
			"package a\n\nimport \"strings\"\n\nfunc clean(s string) string {\n\tstrings.TrimSpace(s)\n\treturn s\n}\n",
			"package a\n\nimport \"strings\"\n\nfunc clean(s string) string {\n\tt := strings.TrimSpace(s)\n\treturn t\n}\n",
			"package a\n\nimport \"strings\"\n\nfunc clean(s, t string) string {\n\ts = strings.TrimSpace(t)\n\treturn s\n}\n",
		},
	}
}

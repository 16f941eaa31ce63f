package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// secondsToMillis makes a function give milliseconds that callers in other files take for seconds.
func secondsToMillis() plant.Operator {
	const (
		first  = "package clock\n\nimport \"time\"\n\n// Stamp is a time in seconds.\nfunc Stamp(t time.Time) int64 {\n\treturn t.Unix()\n}\n"
		user   = "package api\n\nimport (\n\t\"time\"\n\n\t\"example.com/a/clock\"\n)\n\nfunc age(t time.Time, at int64) int64 { return clock.Stamp(t) - at }\n"
		second = "package a\n\nimport \"time\"\n\ntype c struct{ skew time.Duration }\n\nfunc (v *c) now() (at int64) { return time.Now().Add(v.skew).Unix( ) }\n"
	)
	return plant.Operator{
		Name: "go/seconds-to-millis", Language: "go", Split: "train", Category: "api-misuse", CWE: "CWE-682", Severity: "high", CrossFile: true,
		Sites: sites(".Unix(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, ret := range s.kinds["return_statement"] {
				values := list(ret.NamedChild(0))
				fn := function(ret)
				if len(values) != 1 || fn.Kind() == "func_literal" || strings.Join(results(fn), ",") != "int64" {
					continue
				}
				x, name := method(values[0])
				if name != "Unix" || len(arguments(values[0])) != 0 || s.imports[x.Text()] != "" {
					continue
				}
				users := s.callers(fn)
				if len(users) == 0 {
					continue
				}
				e := s.swap(values[0].ChildByField("function"), x.Text()+".UnixMilli")
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s gives milliseconds, while %s in %s and its other callers take the number for seconds.", nameOf(fn), nameOf(function(users[0].call)), users[0].file.path)})
			}
			return out
		}),
		Samples: []plant.Sample{
			{Files: map[string]string{"go.mod": "module example.com/a\n", "clock/clock.go": first, "api/api.go": user}, Path: "clock/clock.go", After: strings.Replace(first, "Unix()", "UnixMilli()", 1)},
			{Files: map[string]string{"a.go": second, "b.go": "package a\n\nfunc (v *c) late(at int64) bool { return v.now() > at+60 }\n"}, Path: "a.go", After: strings.Replace(second, "Unix( )", "UnixMilli( )", 1)},
		},
		Never: []string{first, second, strings.Replace(first, "Unix()", "UnixMilli()", 1)},
	}
}

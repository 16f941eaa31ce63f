package golang

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// expiryFlipped takes what is past for what is to come.
func expiryFlipped() plant.Operator {
	const (
		first  = "package a\n\nimport \"time\"\n\nfunc expired(until time.Time) bool {\n\treturn time.Now().After(until)\n}\n"
		second = "package a\n\nimport \"time\"\n\ntype pass struct{ expires time.Time }\n\nfunc (p pass) good(now func() time.Time) bool {\n\treturn now() . Before ( p.expires )\n}\n"
	)
	clock := regexp.MustCompile(`(?i)(now|clock)(\(\))?$`)
	limit := regexp.MustCompile(`(?i)(expir\w*|until|ends?|deadline|due|valid\w*)(at)?(\(\))?$`)
	return plant.Operator{
		Name: "go/expiry-flipped", Language: "go", Split: "train", Category: "comparison", CWE: "CWE-697", Severity: "high",
		Sites: sites("", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				x, name := method(call)
				args := arguments(call)
				if name != "After" && name != "Before" || len(args) != 1 || s.imports[x.Text()] != "" || !(clock.MatchString(x.Text()) && limit.MatchString(args[0].Text())) && !(limit.MatchString(x.Text()) && clock.MatchString(args[0].Text())) {
					continue
				}
				other := map[string]string{"After": "Before", "Before": "After"}[name]
				e := s.swap(call.ChildByField("function").ChildByField("field"), other)
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s asks whether %s lies %s %s instead of the reverse: what has ended counts as good and what is good as ended.", nameOf(function(call)), x.Text(), strings.ToLower(other), args[0].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "After", "Before", 1)),
			sample(second, strings.Replace(second, "Before", "After", 1)),
		},
		Never: []string{
			"package a\n\nimport \"time\"\n\nfunc wait() { <-time.After(time.Second) }\n",
			"package a\n\nimport \"time\"\n\nfunc older(a, b time.Time) bool { return a.Before(b) }\n",
			"package a\n\nimport \"time\"\n\nfunc late(until time.Time) bool { return time.Since(until) > 0 }\n",
		},
	}
}

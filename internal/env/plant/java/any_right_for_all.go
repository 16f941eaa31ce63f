package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// anyForAll asks for one right of several where all were needed: whoever has the least of them gets the rest too.
func anyForAll() plant.Operator {
	rights := regexp.MustCompile(`(?i)^(may|can|allow|permit|admit|entitle|authori|grant)|role|scope|right|permission|access`)
	return plant.Operator{
		Name: "java/any-right-for-all", Language: language, Split: env.Heldout, Category: "auth", CWE: "CWE-863", Severity: "high",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as := args(call)
				if len(as) != 1 || !rights.MatchString(methodName(call)) || !receiver(call).Valid() || method(call).ChildByField("type").Text() != "boolean" {
					continue
				}
				text := ""
				switch {
				case called(call) == "allMatch":
					text = f.text[call.Start():receiver(call).End()] + ".anyMatch(" + as[0].Text() + ")"
				case called(call) == "containsAll" && receiver(call).Kind() == "identifier" && as[0].Kind() == "identifier":
					text = as[0].Text() + ".stream().anyMatch(" + receiver(call).Text() + "::contains)"
				default:
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, text)},
					Description: fmt.Sprintf("%s is content with one of what is asked for (%s) where all were needed, so that one right opens everything", methodName(call), short(text))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  boolean maySend(Set<String> given, Set<String> wanted) {\n    return given.containsAll(wanted);\n  }\n}\n", "given.containsAll(wanted)", "wanted.stream().anyMatch(given::contains)"),
			sample("class A{boolean hasRoles(User u,List<Role> r){return r.stream()\n.allMatch( x->u.has(x) );}}\n", ".stream()\n.allMatch( x->u.has(x) )", ".stream().anyMatch(x->u.has(x))"),
		},
		Never: []string{
			"class A {\n  boolean maySend(Set<String> given, Set<String> wanted) {\n    return wanted.stream().anyMatch(given::contains);\n  }\n}\n",
			"class A {\n  boolean sorted(Set<String> given, Set<String> wanted) {\n    return given.containsAll(wanted);\n  }\n}\n",
		},
	}
}

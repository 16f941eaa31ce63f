package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// identityDecoy asks for identity before equality, as the platform's own classes do: the answer is the same.
func identityDecoy() plant.Operator {
	return plant.Operator{
		Name: "java/identity-first", Language: language, Split: env.Train, Category: "comparison", CWE: "CWE-597", Severity: "low", Decoy: true, Hint: "equals",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as := args(call)
				if called(call) != "equals" || len(as) != 1 || !quiet(receiver(call)) || !quiet(as[0]) || methodName(call) == "equals" {
					continue
				}
				a, b := receiver(call).Text(), as[0].Text()
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, "("+a+" == "+b+" || "+call.Text()+")")},
					Description: fmt.Sprintf("%s == %s is only a short cut before equals: whether they are the same object does not change the answer", short(a), short(b))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  boolean f(String a, String b) {\n    return a.equals(b);\n  }\n}\n", "a.equals(b)", "(a == b || a.equals(b))"),
			sample("class A{void f(Row r,String b){if(!r.name().equals( b ))stop();}}\n", "r.name().equals( b )", "(r.name() == b || r.name().equals( b ))"),
		},
		Never: []string{
			"class A {\n  boolean f(String a) {\n    return \"x\".equals(a);\n  }\n}\n",
			"class A {\n  boolean f(Iterator<String> a, String b) {\n    return a.next().equals(b);\n  }\n}\n",
		},
	}
}

// quiet says whether an expression may be evaluated twice: a name, or what looks like a plain getter.
func quiet(n syntax.Node) bool {
	switch n.Kind() {
	case "identifier", "field_access":
		return true
	case "method_invocation":
		name := called(n)
		return len(args(n)) == 0 && receiver(n).Kind() == "identifier" && !strings.HasPrefix(name, "next") && !strings.HasPrefix(name, "read") && !strings.HasPrefix(name, "poll") &&
			!strings.HasPrefix(name, "pop") && !strings.HasPrefix(name, "remove") && !strings.HasPrefix(name, "take")
	}
	return false
}

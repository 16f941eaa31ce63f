package java

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// nullForMissing makes a method return null where it threw. A caller in another file uses the result without a look, as
// it could: now it throws a NullPointerException there, or works on with nothing.
func nullForMissing() plant.Operator {
	absent := regexp.MustCompile(`NoSuchElement|NotFound|Missing|DoesNotExist|Unknown`)
	return plant.Operator{
		Name: "java/null-for-missing", Language: language, Split: env.Train, Category: "null-dereference", CWE: "CWE-476", Severity: "high", CrossFile: true, Hint: "hrow",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for m := range f.root.Find("method_declaration") {
				if t := m.ChildByField("type"); t.Kind() != "type_identifier" && t.Kind() != "generic_type" || strings.HasPrefix(t.Text(), "Optional") {
					continue
				}
				for n := range m.ChildByField("body").Find("return_statement", "throw_statement") {
					var e plant.Edit
					call := n.NamedChild(0)
					switch {
					case n.Enclosing("method_declaration", "lambda_expression") != m:
						continue
					case called(call) == "orElseThrow" && receiver(call).Valid():
						e = f.edit(n.Start(), n.End(), f.text[n.Start():receiver(call).End()]+".orElse(null);")
					case n.Kind() == "throw_statement" && absent.MatchString(call.ChildByField("type").Text()) && n.Enclosing("if_statement").Valid():
						e = f.replace(n, "return null;")
					default:
						continue
					}
					for _, u := range f.callers(m) {
						if !reliesOnValue(u.call) {
							continue
						}
						found = append(found, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf("%s.%s returns null for what is missing instead of throwing, and %s in %s uses the result unchecked",
							className(m), m.ChildByField("name").Text(), methodName(u.call), fileName(u.path))})
						break
					}
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			among(map[string]string{
				"src/Store.java": "class Store {\n  Row require(long id) {\n    return find(id).orElseThrow(() -> new NoSuchElementException(\"row \" + id));\n  }\n}\n",
				"src/Rules.java": "class Rules {\n  private final Store store;\n  String owner(long id) {\n    return store.require(id).owner();\n  }\n}\n",
			}, "src/Store.java", ".orElseThrow(() -> new NoSuchElementException(\"row \" + id));", ".orElse(null);"),
			among(map[string]string{
				"Store.java": "class Store{\nRow load(long id){Row r=rows.get(id);\nif(r==null)throw new RowNotFoundException(id);\nreturn r;}}\n",
				"Job.java":   "class Job{void run(Store s){\nRow r=s.load(7);\nr.touch();}}\n",
			}, "Store.java", "throw new RowNotFoundException(id);", "return null;"),
		},
		Never: []string{
			"class A {\n  Row require(long id) {\n    return find(id).orElseThrow();\n  }\n  String owner(long id) {\n    return require(id).owner();\n  }\n}\n",
			"class A {\n  Row require(long id) {\n    return find(id).orElse(null);\n  }\n}\n",
		},
	}
}

// reliesOnValue says whether a call's result is used as an object without having been compared with null.
func reliesOnValue(call syntax.Node) bool {
	up := call.Parent()
	if (up.Kind() == "method_invocation" || up.Kind() == "field_access") && call.Field() == "object" {
		return true
	}
	if up.Kind() != "variable_declarator" {
		return false
	}
	name, m := up.ChildByField("name").Text(), method(call)
	used := false
	for id := range m.Find("identifier") {
		if id.Text() != name || id.Start() < call.End() {
			continue
		}
		if p := id.Parent(); p.Kind() == "binary_expression" && compared(p, operator(p)) == name {
			return false
		}
		used = used || id.Parent().Kind() == "method_invocation" && id.Field() == "object"
	}
	return used
}

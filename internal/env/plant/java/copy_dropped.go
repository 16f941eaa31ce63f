package java

import (
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// copyDropped hands out a class's own list where it handed out a copy. A caller in another file changes what it got, as
// it could, and now destroys what the class keeps.
func copyDropped() plant.Operator {
	return plant.Operator{
		Name: "java/copy-dropped", Language: language, Split: env.Heldout, Category: "data-loss", CWE: "CWE-375", Severity: "high", CrossFile: true, Hint: "new ",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for r := range f.root.Find("return_statement") {
				value, m := r.NamedChild(0), method(r)
				as := args(value)
				if value.Kind() != "object_creation_expression" || len(as) != 1 || as[0].Kind() != "identifier" || m.Kind() != "method_declaration" {
					continue
				}
				kept, t := base(field(class(r), as[0].Text()).ChildByField("type").Text()), base(m.ChildByField("type").Text())
				if kept == "" || kept != t && !(t == "List" && kept == "ArrayList") && t != "Collection" {
					continue
				}
				for _, u := range f.callers(m) {
					if !changes(u.call) {
						continue
					}
					found = append(found, plant.Site{Edits: []plant.Edit{f.replace(r, "return "+as[0].Text()+";")},
						Description: fmt.Sprintf("%s.%s returns its own %s instead of a copy, and %s in %s changes what it gets", className(m), m.ChildByField("name").Text(), as[0].Text(), methodName(u.call), fileName(u.path))})
					break
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			among(map[string]string{
				"src/Rows.java": "class Rows {\n  private final List<Row> rows = new ArrayList<>();\n  List<Row> all() {\n    return new ArrayList<>(rows);\n  }\n}\n",
				"src/Use.java":  "class Use {\n  private final Rows rows;\n  int f() {\n    var all = rows.all();\n    all.removeIf(Row::old);\n    return all.size();\n  }\n}\n",
			}, "src/Rows.java", "new ArrayList<>(rows)", "rows"),
			among(map[string]string{
				"Rows.java": "class Rows{ArrayList<Row> rows;List<Row> all(){return new ArrayList<Row>( rows );}}\n",
				"Use.java":  "class Use{void f(Rows r){tidy(r.all());}\nvoid tidy(List<Row> a){a.sort(null);}}\n",
			}, "Rows.java", "new ArrayList<Row>( rows )", "rows"),
		},
		Never: []string{
			"class A {\n  List<Row> rows;\n  List<Row> all() {\n    return new ArrayList<>(rows);\n  }\n  void f() {\n    all().clear();\n  }\n}\n",
			"class A {\n  List<Row> rows;\n  List<Row> all() {\n    return rows;\n  }\n}\n",
		},
	}
}

// changes says whether what a call gives is changed: through the variable it goes to, or by a method of that file that
// it is handed to.
func changes(call syntax.Node) bool {
	up := call.Parent()
	switch {
	case call.Field() == "object":
		return mutator(up)
	case up.Kind() == "variable_declarator":
		return changed(method(call), up.ChildByField("name").Text())
	case up.Kind() == "argument_list" && !receiver(up.Parent()).Valid():
		for m := range class(call).Find("method_declaration") {
			if m.ChildByField("name").Text() != called(up.Parent()) {
				continue
			}
			params := children(m.ChildByField("parameters"))
			if i := slices.Index(children(up), call); i >= 0 && i < len(params) && changed(m, params[i].ChildByField("name").Text()) {
				return true
			}
		}
	}
	return false
}

func changed(m syntax.Node, name string) bool {
	for n := range m.Find("method_invocation") {
		if receiver(n).Text() == name && mutator(n) {
			return true
		}
	}
	return false
}

func mutator(n syntax.Node) bool {
	return slices.Contains([]string{"sort", "removeIf", "add", "addAll", "remove", "clear", "put", "set", "replaceAll", "retainAll", "removeAll"}, called(n))
}

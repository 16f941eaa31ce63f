package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// exceptionSwallowed answers a failure with a value that looks like a result: callers cannot tell that anything went
// wrong.
func exceptionSwallowed() plant.Operator {
	return plant.Operator{
		Name: "java/exception-swallowed", Language: language, Split: env.Train, Category: "error-handling", CWE: "CWE-390", Severity: "medium", Hint: "catch",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for c := range f.root.Find("catch_clause") {
				throw := only(c.ChildByField("body"))
				param := c.NamedChild(0)
				for param.Valid() && param.Kind() != "catch_formal_parameter" {
					param = next(param)
				}
				name := param.ChildByField("name").Text()
				m := method(c)
				if throw.Kind() != "throw_statement" || throw.NamedChild(0).Kind() != "object_creation_expression" || !mentions(throw, name) || m.Kind() != "method_declaration" ||
					strings.Contains(param.Text(), "InterruptedException") || strings.Contains(param.Text(), "NoSuchAlgorithm") || strings.Contains(param.Text(), "ParserConfiguration") {
					continue
				}
				value := nothing(m.ChildByField("type"))
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(throw, value)},
					Description: fmt.Sprintf("%s hides %s: on failure it answers with %q, which callers cannot tell from a result", methodName(c), strings.TrimSuffix(short(param.Text()), " "+name), strings.TrimSuffix(value, ";"))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  List<Row> f() {\n    try {\n      return load();\n    } catch (SQLException e) {\n      throw new IllegalStateException(\"cannot load\", e);\n    }\n  }\n}\n", "throw new IllegalStateException(\"cannot load\", e);", "return List.of();"),
			sample("class A{void f(){try{save();}catch(IOException|SQLException e){throw\n new UncheckedException(e);}}}\n", "throw\n new UncheckedException(e);", "return;"),
		},
		Never: []string{
			"class A {\n  List<Row> f() {\n    try {\n      return load();\n    } catch (SQLException e) {\n      return List.of();\n    }\n  }\n}\n",
			"class A {\n  A() {\n    try {\n      load();\n    } catch (SQLException e) {\n      throw new IllegalStateException(e);\n    }\n  }\n}\n",
		},
	}
}

// nothing is the return statement that gives an empty value of a type.
func nothing(t syntax.Node) string {
	switch t.Text() {
	case "void":
		return "return;"
	case "boolean":
		return "return false;"
	case "int", "long", "double", "float", "short", "byte":
		return "return 0;"
	case "char":
		return "return ' ';"
	}
	switch base(t.Text()) {
	case "List", "Set", "Map":
		return "return " + base(t.Text()) + ".of();"
	case "Optional":
		return "return Optional.empty();"
	}
	return "return null;"
}

package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// rethrowDecoy catches every exception, does what the narrow clause did and throws it on: nothing is hidden, and what was
// begun is undone after unchecked exceptions as well.
func rethrowDecoy() plant.Operator {
	return plant.Operator{
		Name: "java/broad-rethrow", Language: language, Split: env.Train, Category: "error-handling", CWE: "CWE-396", Severity: "low", Decoy: true, Hint: "catch",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for c := range f.root.Find("catch_clause") {
				var param syntax.Node
				for n := range c.NamedChildren() {
					if n.Kind() == "catch_formal_parameter" {
						param = n
					}
				}
				types, name := param.NamedChild(0), param.ChildByField("name").Text()
				body := children(c.ChildByField("body"))
				if types.Kind() != "catch_type" || types.Text() == "Exception" || types.Text() == "Throwable" || strings.HasSuffix(types.Text(), "Interrupted") || len(body) < 2 || next(c).Kind() == "catch_clause" {
					continue
				}
				if last := body[len(body)-1]; last.Kind() != "throw_statement" || last.NamedChild(0).Text() != name {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(types, "Exception")},
					Description: fmt.Sprintf("%s catches everything but throws it on: after %s nothing is hidden, whatever went wrong", methodName(c), short(body[0].Text()))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(Connection db) throws SQLException {\n    try {\n      db.commit();\n    } catch (SQLException e) {\n      db.rollback();\n      throw e;\n    }\n  }\n}\n", "catch (SQLException e)", "catch (Exception e)"),
			sample("class A{void f()throws IOException{try{go();}catch( IOException | IllegalStateException e ){undo();throw e;}}}\n", "IOException | IllegalStateException", "Exception"),
		},
		Never: []string{
			"class A {\n  void f() {\n    try {\n      go();\n    } catch (IOException e) {\n      undo();\n      throw new IllegalStateException(e);\n    }\n  }\n}\n",
			"class A {\n  void f() throws Exception {\n    try {\n      go();\n    } catch (Exception e) {\n      undo();\n      throw e;\n    }\n  }\n}\n",
		},
	}
}

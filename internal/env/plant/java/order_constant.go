package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// orderDecoy puts an ORDER BY into a statement with +, out of a local constant: no text from outside gets there.
func orderDecoy() plant.Operator {
	clause := regexp.MustCompile(`ORDER BY ([a-z_]+( DESC| ASC)?(, ?[a-z_]+)*)`)
	return plant.Operator{
		Name: "java/order-constant", Language: language, Split: env.Train, Category: "injection", CWE: "CWE-89", Severity: "high", Decoy: true, Hint: "ORDER BY",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for l := range f.root.Find("string_literal") {
				at := clause.FindStringSubmatchIndex(l.Text())
				statement := l.Enclosing("try_with_resources_statement", "local_variable_declaration", "return_statement", "expression_statement")
				m := method(l)
				if at == nil || !statement.Valid() || !m.Valid() || mentions(m, "order") || statement.Parent().Kind() != "block" || l.Text()[:2] == `""` {
					continue
				}
				text, columns := l.Text(), l.Text()[at[2]:at[3]]
				end := ` + "` + text[at[3]:]
				if text[at[3]:] == `"` {
					end = ""
				}
				found = append(found, plant.Site{Edits: []plant.Edit{
					f.replace(l, text[:at[2]]+`" + order`+end),
					f.edit(statement.Start(), statement.Start(), fmt.Sprintf("String order = %q;\n%s", columns, f.indent(statement.Start()))),
				}, Description: fmt.Sprintf("%s concatenates order into its SQL, which is a constant of the method: no text from outside reaches it", methodName(l))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(Connection db) throws SQLException {\n    try (var q = db.prepareStatement(\"SELECT id FROM t ORDER BY id DESC LIMIT ?\")) {\n      q.setInt(1, 5);\n    }\n  }\n}\n",
				"    try (", "    String order = \"id DESC\";\n    try (", "ORDER BY id DESC LIMIT ?\"", "ORDER BY \" + order + \" LIMIT ?\""),
			sample("class A{List<Row> f(){return db.query(\"SELECT * FROM t ORDER BY name\");}}\n", "return db", "String order = \"name\";\nreturn db", "ORDER BY name\"", "ORDER BY \" + order"),
		},
		Never: []string{
			"class A {\n  static final String SQL = \"SELECT id FROM t ORDER BY id\";\n}\n",
			"class A {\n  void f(String order) {\n    db.query(\"SELECT id FROM t ORDER BY id\", order);\n  }\n}\n",
		},
	}
}

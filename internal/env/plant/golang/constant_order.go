package golang

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// constantOrder puts a column's name into a query from a constant: it looks like an injection and is right.
func constantOrder() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"context\"\n\t\"database/sql\"\n)\n\nfunc all(ctx context.Context, db *sql.DB) (*sql.Rows, error) {\n\treturn db.QueryContext(ctx, \"SELECT id FROM t ORDER BY id LIMIT 9\")\n}\n"
		second = "package a\n\nimport \"database/sql\"\n\nfunc last(db *sql.DB) error {\n\tvar n int\n\tif err := db.QueryRow(`SELECT n FROM t\n\t\tORDER BY made DESC`).Scan(&n); err != nil { return err }\n\treturn nil\n}\n"
	)
	order := regexp.MustCompile(`ORDER BY ([a-z_]+)`)
	return plant.Operator{
		Name: "go/constant-order", Language: "go", Split: "train", Category: "injection", CWE: "CWE-89", Severity: "low", Decoy: true,
		Sites: sites("ORDER BY ", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				_, name := method(call)
				fn := function(call)
				if !slices.Contains([]string{"Query", "QueryRow", "QueryContext", "QueryRowContext"}, name) || mentions(fn, "sortColumn") {
					continue
				}
				for literal := range call.ChildByField("arguments").Find("interpreted_string_literal", "raw_string_literal") {
					at := order.FindStringSubmatchIndex(literal.Text())
					st := statement(call)
					if at == nil || !st.Valid() || strings.TrimSpace(s.text[lineStart(s.text, st.Start()):st.Start()]) != "" {
						continue
					}
					text, quote := literal.Text(), literal.Text()[:1]
					column := text[at[2]:at[3]]
					plus := " + "
					if len(arguments(call)) > 1 { // as gofmt writes it
						plus = "+"
					}
					e := s.swap(literal, strings.TrimSuffix(text[:at[2]]+quote+plus+"sortColumn"+plus+quote+text[at[3]:], plus+quote+quote))
					head := plant.Edit{File: s.path, Start: st.Start(), End: st.Start(), Text: fmt.Sprintf("const sortColumn = %q\n%s", column, s.indent(st))}
					out = append(out, plant.Site{Edits: []plant.Edit{e, head}, Description: fmt.Sprintf(
						"%s puts sortColumn into its query, which is a constant of the function: nothing from outside gets in.", nameOf(fn))})
					break
				}
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("\treturn db", "\tconst sortColumn = \"id\"\n\treturn db", "BY id LIMIT 9\"", "BY \"+sortColumn+\" LIMIT 9\"").Replace(first)),
			sample(second, strings.NewReplacer("\tif err", "\tconst sortColumn = \"made\"\n\tif err", "BY made DESC`", "BY ` + sortColumn + ` DESC`").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"database/sql\"\n\nfunc all(db *sql.DB, by string) { db.Query(\"SELECT id FROM t ORDER BY \" + by) }\n",
			"package a\n\nimport \"database/sql\"\n\nfunc all(db *sql.DB) { db.Query(\"SELECT id FROM t\") }\n",
		},
	}
}

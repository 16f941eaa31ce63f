package golang

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// sqlConcat writes a string argument of a query into its text instead of binding it.
func sqlConcat() plant.Operator {
	return plant.Operator{
		Name: "go/sql-concat", Language: "go", Split: "train", Category: "injection", CWE: "CWE-89", Severity: "critical",
		Sites: sites("Context(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				_, name := method(call)
				args := arguments(call)
				if !slices.Contains([]string{"QueryContext", "QueryRowContext", "ExecContext"}, name) || len(args) < 3 {
					continue
				}
				query, bound := args[1], args[2:]
				parts := strings.Split(query.Text(), "?")
				if !strings.HasSuffix(query.Kind(), "string_literal") || len(parts) != len(bound)+1 {
					continue
				}
				i := slices.IndexFunc(bound, func(a syntax.Node) bool { return a.Kind() == "identifier" && isString(a) })
				if i < 0 {
					continue
				}
				quote := query.Text()[:1]
				text := strings.Join(parts[:i+1], "?") + "'" + quote + "+" + bound[i].Text() + "+" + quote + "'" + strings.Join(parts[i+1:], "?")
				for j, a := range bound {
					if j != i {
						text += ", " + a.Text()
					}
				}
				e := plant.Edit{File: s.path, Start: query.Start(), End: bound[len(bound)-1].End(), Text: text}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s writes %s into the SQL text instead of binding it, so its value can change the statement (SQL injection).", nameOf(function(call)), bound[i].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample("package a\n\nimport (\n\t\"context\"\n\t\"database/sql\"\n)\n\nfunc find(ctx context.Context, db *sql.DB, name string, n int) *sql.Row {\n\treturn db.QueryRowContext(ctx, \"SELECT id FROM t WHERE n > ? AND name = ?\", n, name)\n}\n",
				"package a\n\nimport (\n\t\"context\"\n\t\"database/sql\"\n)\n\nfunc find(ctx context.Context, db *sql.DB, name string, n int) *sql.Row {\n\treturn db.QueryRowContext(ctx, \"SELECT id FROM t WHERE n > ? AND name = '\"+name+\"'\", n)\n}\n"),
			sample("package a\n\nimport (\"context\"; \"database/sql\")\n\nfunc drop(ctx context.Context, db *sql.DB, key string) error {\n\t_, err := db.ExecContext(\n\t\tctx,\n\t\t`DELETE FROM t\n\t\tWHERE key = ?`,\n\t\tkey, // bound\n\t)\n\treturn err\n}\n",
				"package a\n\nimport (\"context\"; \"database/sql\")\n\nfunc drop(ctx context.Context, db *sql.DB, key string) error {\n\t_, err := db.ExecContext(\n\t\tctx,\n\t\t`DELETE FROM t\n\t\tWHERE key = '`+key+`'`, // bound\n\t)\n\treturn err\n}\n"),
		},
		Never: []string{
			"package a\n\nimport (\n\t\"context\"\n\t\"database/sql\"\n)\n\nfunc drop(ctx context.Context, db *sql.DB, key string) {\n\tdb.ExecContext(ctx, \"DELETE FROM t WHERE k = '\"+key+\"'\")\n}\n",
			"package a\n\nimport (\n\t\"context\"\n\t\"database/sql\"\n)\n\nfunc drop(ctx context.Context, db *sql.DB, key int64) {\n\tdb.ExecContext(ctx, \"DELETE FROM t WHERE k = ?\", key)\n}\n",
			"package a\n\nimport \"context\"\n\ntype q struct{}\n\nfunc (q) QueryContext(context.Context, string, ...any) {}\n\nfunc find(ctx context.Context, x q, sql, key string) { x.QueryContext(ctx, sql, key) }\n",
		},
	}
}

// sample is a program of one file, a.go.
func sample(before, after string) plant.Sample {
	return plant.Sample{Files: map[string]string{"a.go": before}, Path: "a.go", After: after}
}

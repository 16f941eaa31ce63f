package typescript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

var orderBy = regexp.MustCompile(`(?i)ORDER BY (\w+)`)

// constantColumn builds a statement's text from a constant of the function: it looks like pasted input and is the same
// text on every call.
func constantColumn() plant.Operator {
	return plant.Operator{
		Name: "typescript/constant-column", Language: language, Split: env.Train, Category: "injection", CWE: "CWE-89", Severity: "low", Decoy: true,
		Sites: func(p *plant.Project, path string) []plant.Site {
			var out []plant.Site
			for n := range find(p, path, "string", "template_string") {
				text, ok := stringText(n)
				m := orderBy.FindStringSubmatchIndex(text)
				if !ok || m == nil || !sqlText.MatchString(text) || strings.ContainsAny(text, "\\`") || n.Parent().Kind() != "arguments" || lines(text) > maxLines {
					continue
				}
				fn, s := function(n), statement(n)
				if !fn.Valid() || mentions(fn, "column") || s.Parent() == n.Tree().Root() {
					continue
				}
				column := text[m[2]:m[3]]
				src := n.Tree().Source()
				end := ";"
				if semicolon(s) == "" {
					end = ""
				}
				quote := "'"
				if n.Text()[0] == '"' || strings.Contains(string(src), "from \"") {
					quote = "\""
				}
				edits := []plant.Edit{
					replace(path, n, "`"+text[:m[2]]+"${column}"+text[m[3]:]+"`"),
					{File: path, Start: s.Start(), End: s.Start(), Text: "const column = " + quote + column + quote + end + newline(src) + indentation(src, s.Start())},
				}
				out = append(out, site(edits, "column is the constant %q in %s, so no value from outside gets into the text of the statement.", column, where(n)))
			}
			return out
		},
		Samples: []plant.Sample{
			{Path: "a.ts", Files: map[string]string{"a.ts": "async function all(db: Db) {\n  return db.query('SELECT * FROM loans ORDER BY due_at DESC', []);\n}\n"},
				After: "async function all(db: Db) {\n  const column = 'due_at';\n  return db.query(`SELECT * FROM loans ORDER BY ${column} DESC`, []);\n}\n"},
			{Path: "a.ts", Files: map[string]string{"a.ts": "function all(db: Db)\n{\n\treturn db.query(\"select id from t order by id\",\n\t\t[])\n}\n"},
				After: "function all(db: Db)\n{\n\tconst column = \"id\"\n\treturn db.query(`select id from t order by ${column}`,\n\t\t[])\n}\n"},
		},
		Never: []string{"const all = 'SELECT * FROM loans ORDER BY due_at';\n", "async function all(db: Db, column: string) {\n  return db.query('SELECT * FROM loans ORDER BY id', [column]);\n}\n"},
	}
}

package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var (
	sqlStart   = regexp.MustCompile(`(?is)^\s*(select\b.*\bfrom\b|insert\s+into\b|update\b.*\bset\b|delete\s+from\b|replace\s+into\b|with\b.*\bselect\b)`)
	valuePlace = regexp.MustCompile(`(?is)((\bwhere\b|\band\b|\bor\b|\bset\b|\bon\b|,)\s*\(*\s*[\w.` + "`" + `"\[\]]+\s*(=|<>|!=|<|>|<=|>=)\s*['"]?%?|\blike\s+['"]?%?|\bin\s*\(\s*['"]?|\bvalues?\s*\([^)]*['"]|=\s*['"]%?|\blimit\s+)$`)
	sqlMethods = []string{"query", "execute", "exec", "run", "all", "get", "each", "raw", "prepare", "$queryRawUnsafe", "$executeRawUnsafe", "unsafe"}
)

// objectName matches values that name tables and columns in queries of the
// catalogue: mappers are full of them, and they do not come from users.
var objectName = regexp.MustCompile(`(?i)(schema|table|column|database|catalog|index|constraint|type|alias|relation)(_?names?)?$|tableOrIndex`)

// sqlInjection looks for statements with values in their text. Tagged templates
// (sql`...`) bind their values and are left alone.
func sqlInjection() rule.Rule {
	return rule.Rule{
		ID: "javascript/sql-injection", Title: "SQL statement built from text that is not constant",
		Category: "injection", CWE: "CWE-89", Severity: "high", Languages: languages, Confidence: 0.85, InTests: rule.SkipInTests,
		Explanation: "The value becomes part of the statement, so a quote inside it ends the literal and the rest of it runs as SQL: an attacker reads or changes any row the account may touch.",
		Suggestion:  "Use placeholders and hand the values over separately: db.query('SELECT ... WHERE id = $1', [id]).",
		Bad: []rule.Sample{
			{Source: "function find(db, name) {\n  return db.query(`SELECT id FROM users WHERE name = '${name}'`);\n}\n"},
			{Source: "function find(conn, req, cb) {\n  const sql = 'SELECT * FROM posts WHERE id = ' + req.params.id;\n  conn.query(sql, cb);\n}\n"},
			{Path: "src/app.ts", Source: "export async function list(req: Request, pool: Pool) {\n  return pool.query(`SELECT id FROM posts ORDER BY ${req.query.order}`);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "function find(db, name) {\n  return db.query('SELECT id FROM users WHERE name = $1', [name]);\n}\n"},
			{Source: "const TABLE = 'users';\n\nfunction find(db, id) {\n  return db.query(`SELECT id FROM ${TABLE} WHERE id = ?`, [id]);\n}\n"},
			{Source: "function find(db, ids) {\n  const marks = ids.map(() => '?').join(',');\n  return db.query(`SELECT id FROM users WHERE id IN (${marks})`, ids);\n}\n"},
			{Source: "function find(sql, name) {\n  return sql`SELECT id FROM users WHERE name = ${name}`;\n}\n"},
			{Source: "function find(db, name) {\n  return db.query('SELECT id FROM users WHERE name = ' + db.escape(name));\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				o, name := method(call)
				if !slices.Contains(sqlMethods, name) || !o.Valid() {
					continue
				}
				query := p.Arg(call, 0)
				if query.Kind() == "template_string" && query.Field() == "arguments" {
					continue // a tag
				}
				for _, text := range built(p, query) {
					if x := unboundValue(p, text); x.Valid() {
						severity := "high"
						if requestFlow(p).Tainted(x) {
							severity = "critical"
						}
						p.ReportAs(call, severity, "the text holds "+oneLine(x))
						break
					}
				}
			}
		},
	}
}

// unboundValue gives the part of a statement that stands where a value could
// be bound, or that comes from the request.
func unboundValue(p *rule.Pass, text syntax.Node) syntax.Node {
	ps := parts(p, text)
	if len(ps) == 0 || !sqlStart.MatchString(ps[len(ps)-1].before+" "+text.Text()[len(text.Text())-1:]) && !sqlStart.MatchString(literal(p, text)) {
		return syntax.Node{}
	}
	for _, x := range ps {
		if harmless(p, x.node) || objectName.MatchString(strings.TrimRight(x.node.Text(), `"'])`)) && !requestFlow(p).Tainted(x.node) {
			continue
		}
		if valuePlace.MatchString(x.before) || requestFlow(p).Tainted(x.node) {
			return x.node
		}
	}
	return syntax.Node{}
}

// literal is the constant text of a template or concatenation.
func literal(p *rule.Pass, text syntax.Node) string {
	s := ""
	text.Walk(func(n syntax.Node) bool {
		if n.Kind() == "string_fragment" {
			s += n.Text() + " "
		}
		return n.Kind() != "template_substitution" && n.Kind() != "call_expression"
	})
	return s
}

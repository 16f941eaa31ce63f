package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func sqlInjection() rule.Rule {
	return rule.Rule{
		ID: "python/sql-injection", Title: "SQL statement built by pasting values into text",
		Category: "injection", CWE: "CWE-89", Severity: "high", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "The value becomes part of the statement's text, so whoever chooses it can end the literal and add SQL of their own: " +
			"read other rows, change or delete data.",
		Suggestion: "Pass the value as a parameter: cursor.execute(\"... WHERE id = ?\", (value,)), with the placeholder style of the driver.",
		InTests:    rule.SkipInTests,
		Bad: []rule.Sample{
			code(`def find(cur, name):`, `    cur.execute(f"SELECT * FROM users WHERE name = '{name}'")`),
			code(`def find(cur, name):`, `    cur.execute("SELECT * FROM users WHERE name = '%s'" % name)`),
			code(`def find(db, name):`, `    query = "SELECT * FROM users WHERE name = '" + name + "'"`, `    return db.execute(query).fetchall()`),
			code(`from flask import request`, `def show(cur):`, `    order = request.args.get("order")`, `    cur.execute("SELECT * FROM posts ORDER BY {}".format(order))`),
			code(`def add(cur, name: str):`, `    q = ("INSERT INTO s (name) " "VALUES ('%(name)s')" % {"name": name})`, `    cur.execute(q)`),
			code(`from flask import Flask`, `@app.route("/u/<name>")`, `def user(name):`, `    return db.execute("SELECT a FROM u ORDER BY " + name)`),
			code(`def drop(session, ident):`, `    session.execute(text("DELETE FROM t WHERE id = " + ident))`),
		},
		Good: []rule.Sample{
			code(`def find(cur, name):`, `    cur.execute("SELECT * FROM users WHERE name = %s", (name,))`),
			code(`TABLE = "users"`, `def find(cur, ident):`, `    cur.execute(f"SELECT * FROM {TABLE} WHERE id = ?", (ident,))`),
			code(`def many(cur, ids):`, `    marks = ",".join("?" * len(ids))`, `    cur.execute(f"SELECT * FROM t WHERE id IN ({marks})", ids)`),
			code(`def find(cur, ident):`, `    cur.execute("SELECT * FROM t WHERE id = %d" % ident)`, `    cur.execute(f"SELECT * FROM t WHERE id = {int(ident)}")`),
			code(`@app.route("/u/<int:uid>")`, `def user(uid):`, `    return db.execute("SELECT a FROM u ORDER BY " + uid)`),
			code(`def run(pool, job):`, `    pool.execute(f"select {job}")`, `    pool.execute(job)`),
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if !slices.Contains([]string{"execute", "executemany", "executescript", "raw", "read_sql", "read_sql_query", "exec_driver_sql", "fetch", "fetchrow", "fetchval"}, p.Method(call)) {
					continue
				}
				statement := p.Arg(call, 0)
				if statement.Kind() == "call" && rule.LastName(callee(p, statement)) == "text" {
					statement = p.Arg(statement, 0)
				}
				if hole, tainted := sqlHole(p, statement); hole.Valid() {
					if tainted {
						p.ReportAs(call, "critical", hole.Text()+" comes from a request")
					} else {
						p.Report(call, hole.Text()+" is pasted in")
					}
				}
			}
		},
	}
}

var (
	sqlVerb = regexp.MustCompile(`(?is)^\s*(select\s.*\bfrom\b|insert\s+(or\s+\w+\s+)?into\b|replace\s+into\b|update\s.*\bset\b|delete\s+from\b|with\s.*\bselect\b|merge\s+into\b)`)
	// What stands before a value, not before the name of a table or a column.
	valuePosition = regexp.MustCompile(`(?is)(=|<|>|<>|!=|\blike|\bvalues\s*\(|\bin\s*\(|\bbetween|\band|\blimit|\boffset)\s*\(?\s*$|['"]%?$|\bvalues\s*\([^)]*,\s*$`)
)

// sqlHole finds the expression that makes a statement injectable: one of the request anywhere, or one of unknown origin
// where a value belongs.
func sqlHole(p *rule.Pass, statement syntax.Node) (hole syntax.Node, tainted bool) {
	parts, built := pieces(p, statement)
	if !built {
		return hole, false
	}
	var text strings.Builder
	for _, q := range parts {
		if q.node.Valid() {
			text.WriteString("?")
		} else {
			text.WriteString(q.text)
		}
	}
	if !sqlVerb.MatchString(text.String()) {
		return hole, false
	}
	flow := inputFlow(p)
	before := ""
	for _, q := range parts {
		if !q.node.Valid() {
			before += q.text
			continue
		}
		switch {
		case flow.Tainted(q.node):
			return q.node, true
		case !hole.Valid() && valuePosition.MatchString(before) && !identifierQuote(before) && unknownText(p, q.node):
			hole = q.node
		}
		before += "?"
	}
	return hole, false
}

var quotedIdentifier = regexp.MustCompile("(?is)(\\bfrom|\\bjoin|\\binto|\\bupdate|\\btable|\\bby|\\bset|\\bas|,|\\.|\\()\\s*[\"`\\[]$")

// identifierQuote: FROM "{table}" quotes a name, not a value.
func identifierQuote(before string) bool { return quotedIdentifier.MatchString(before) }

// unknownText tells whether an expression may hold text that nobody in this function chose: neither constant, nor
// number, nor placeholders, nor an escaping call.
func unknownText(p *rule.Pass, n syntax.Node) bool {
	switch n.Kind() {
	case "identifier":
		if numberLike.MatchString(n.Text()) || p.Constant(n) {
			return false
		}
		if v, ok := assigned(p, n, n); ok {
			return unknownText(p, v)
		}
		return parameter(p, n) && !annotatedNumber(p, n)
	case "attribute":
		return !p.Constant(n) && strings.Contains("request user form data args params", strings.ToLower(rootName(n)))
	case "subscript":
		return n.ChildByField("subscript").Kind() == "string" && unknownText(p, n.ChildByField("value"))
	case "call":
		name := callee(p, n)
		if name == "str" || name == "input" || strings.HasSuffix(name, ".strip") || strings.HasSuffix(name, ".lower") || strings.HasSuffix(name, ".upper") {
			if a := p.Arg(n, 0); a.Valid() {
				return unknownText(p, a)
			}
			if o := n.ChildByField("function").ChildByField("object"); o.Valid() {
				return unknownText(p, o)
			}
			return name == "input"
		}
	}
	return false
}

var numberLike = regexp.MustCompile(`(?i)(^|_)(placeholders?|marks|qmarks|count|limit|offset|num|size|n|i|j|idx|index|table|tablename|table_name|column|columns|cols|fields|where|clause|conditions?|schema|order|sort|direction)$|^(i|j|k|n)$`)

func annotatedNumber(p *rule.Pass, name syntax.Node) bool {
	for _, prm := range p.Parameters(p.Function(name)) {
		if prm.Kind() == "typed_parameter" || prm.Kind() == "typed_default_parameter" {
			if slices.Contains(p.Names(prm), name.Text()) && regexp.MustCompile(`:\s*(int|float|bool|Decimal|UUID|datetime|date)\b`).MatchString(prm.Text()) {
				return true
			}
		}
	}
	return false
}

func rootName(n syntax.Node) string {
	for n.Kind() == "attribute" {
		n = n.ChildByField("object")
	}
	return n.Text()
}

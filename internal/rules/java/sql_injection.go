package java

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func sqlInjection() rule.Rule {
	sinks := []string{"executeQuery", "executeUpdate", "execute", "executeLargeUpdate", "addBatch", "prepareStatement", "prepareCall", "createQuery",
		"createNativeQuery", "createSQLQuery", "queryForObject", "queryForList", "queryForMap", "queryForRowSet", "query", "update", "batchUpdate", "rawQuery", "execSQL", "nativeSQL"}
	statement := regexp.MustCompile(`(?is)^\s*\(?\s*(select\b.*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|from\s+\w+.*\bwhere\b|replace\s+into\b|merge\s+into\b)`)
	verbs := regexp.MustCompile(`'?%[0-9$.\-]*[a-z]`)
	escaped := regexp.MustCompile(`(?i)escape|quote|encode|sanitiz|literal`)
	return rule.Rule{
		ID: "java/sql-injection", Title: "a value is concatenated into an SQL statement",
		Category: "injection", CWE: "CWE-89", Severity: "high", Confidence: 0.85,
		Languages: []string{"java"},
		Explanation: "The value becomes part of the statement's text. One that contains a quote (x' OR '1'='1) ends the literal and goes on as SQL: it reads " +
			"or changes rows that were never meant, or logs in without a password.",
		Suggestion: "Use a placeholder: prepareStatement(\"... WHERE name = ?\") and setString(1, name); in JPA and Hibernate a named parameter.",
		Bad: []rule.Sample{
			{Source: "class Users {\n  ResultSet find(Statement st, String name) throws SQLException {\n    return st.executeQuery(\"SELECT * FROM users WHERE name = '\" + name + \"'\");\n  }\n}\n"},
			{Source: "class Users {\n  void drop(HttpServletRequest request) throws SQLException {\n    String id = request.getParameter(\"id\");\n    String sql = \"DELETE FROM users WHERE id = \" + id;\n    connection.createStatement().executeUpdate(sql);\n  }\n}\n"},
			{Source: "class Orders {\n  @GetMapping(\"/orders\")\n  List<Order> all(@RequestParam String sort) {\n    return em.createQuery(\"select o from Order o order by \" + sort).getResultList();\n  }\n}\n"},
			{Source: "class Users extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws SQLException {\n    drop(request.getParameter(\"id\"));\n  }\n  private void drop(String id) throws SQLException {\n    statement.executeUpdate(\"DELETE FROM users WHERE id = \" + id);\n  }\n}\n"},
			{Source: "class Users {\n  User find(String name) {\n    String sql = String.format(\"SELECT * FROM users WHERE name = '%s'\", name);\n    return jdbc.queryForObject(sql, mapper);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Users {\n  ResultSet find(Connection c, String name) throws SQLException {\n    PreparedStatement st = c.prepareStatement(\"SELECT * FROM users WHERE name = ?\");\n    st.setString(1, name);\n    return st.executeQuery();\n  }\n}\n"},
			{Source: "class Users {\n  static final String TABLE = \"users\";\n  ResultSet all(Statement st, String table) throws SQLException {\n    return st.executeQuery(\"SELECT * FROM \" + TABLE + \" JOIN \" + table);\n  }\n}\n"},
			{Source: "class Users {\n  void drop(HttpServletRequest request) throws SQLException {\n    int id = Integer.parseInt(request.getParameter(\"id\"));\n    statement.executeUpdate(\"DELETE FROM users WHERE id = '\" + id + \"'\");\n  }\n}\n"},
			{Source: "class Index {\n  Hits find(String name) {\n    return index.query(\"name:'\" + name + \"'\");\n  }\n}\n"},
			{Source: "class Users {\n  ResultSet find(Statement st, String name) throws SQLException {\n    return st.executeQuery(\"SELECT * FROM users WHERE name = '\" + escapeSql(name) + \"'\");\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if !slices.Contains(sinks, p.Method(call)) || !receiver(call).Valid() {
					continue
				}
				query := p.Arg(call, 0)
				first, all := operands(p, value(p, query), verbs)
				if !statement.MatchString(first) {
					continue
				}
				flow := input(p)
				for _, o := range all {
					if escaped.MatchString(o.node.Text()) || numeric(p, o.node) || p.Constant(o.node) {
						continue
					}
					if flow.Tainted(o.node) || o.quoted && text(p, o.node) {
						p.Report(call, o.node.Text())
						break
					}
				}
			}
		},
	}
}

// operand is a part of a built text that is no literal; quoted says that a quote stands right before it.
type operand struct {
	node   syntax.Node
	quoted bool
}

// operands takes a concatenation or a String.format apart: how its text begins, and what is put into it.
func operands(p *rule.Pass, built syntax.Node, verbs *regexp.Regexp) (first string, all []operand) {
	if built.Kind() == "method_invocation" && callee(p, built) == "String.format" {
		args := p.Args(built)
		if len(args) < 2 {
			return "", nil
		}
		format, _, _ := p.String(args[0])
		for i, verb := range verbs.FindAllString(format, -1) {
			if i+1 < len(args) {
				all = append(all, operand{args[i+1], strings.HasPrefix(verb, "'")})
			}
		}
		return format, all
	}
	before := ""
	for i, piece := range parts(built) {
		if s, _, ok := p.String(piece); ok {
			if before = s; i == 0 {
				first = s
			}
			continue
		}
		all = append(all, operand{piece, strings.HasSuffix(before, "'")})
		before = ""
	}
	return first, all
}

// text tells whether n is a variable of type String.
func text(p *rule.Pass, n syntax.Node) bool {
	n = bare(n)
	if n.Kind() == "method_invocation" {
		return strings.HasSuffix(p.Method(n), "getText") || p.Method(n) == "trim"
	}
	return typeOf(p, n, n.Text()) == "String" && !strings.Contains(strings.ToLower(n.Text()), "table")
}

func numeric(p *rule.Pass, n syntax.Node) bool {
	t := typeOf(p, n, bare(n).Text())
	return slices.Contains([]string{"int", "long", "short", "byte", "double", "float", "boolean", "Integer", "Long", "UUID", "Date", "Timestamp"}, t)
}

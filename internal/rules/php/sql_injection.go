package php

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func sqlInjection() rule.Rule {
	functions := map[string]int{"mysql_query": 0, "mysqli_query": 1, "mysqli_multi_query": 1, "mysqli_real_query": 1, "pg_query": 1, "sqlite_query": 1, "mssql_query": 0, "odbc_exec": 1, "db_query": 0}
	methods := []string{"query", "exec", "multi_query", "real_query", "prepare", "execute", "get_results", "get_var", "get_row", "get_col", "whereRaw", "selectRaw", "raw", "orderByRaw", "createQuery", "executeQuery", "querySingle"}
	statement := regexp.MustCompile(`(?is)^\s*\(?\s*(select\b|insert\s+into\b|update\s+\S+\s+set\b|delete\s+from\b|replace\s+into\b|show\s|drop\s+table|alter\s+table|call\s)`)
	tests := regexp.MustCompile(`(?i)^(is_numeric|ctype_|preg_match|in_array|intval|.*valid|.*check|.*escape|settype|array_walk)`)
	return rule.Rule{
		ID: "php/sql-injection", Title: "request data is put into an SQL statement",
		Category: "injection", CWE: "CWE-89", Severity: "critical", Confidence: 0.9,
		Languages: []string{"php"},
		Explanation: "The parameter becomes part of the statement's text. A quote in it ends the literal and what follows is run as SQL: a login " +
			"without a password, every row of another table, or its deletion.",
		Suggestion: "Use placeholders: $st = $pdo->prepare('... WHERE id = ?'); $st->execute([$id]). Names of columns cannot be bound: choose them from a list.",
		Bad: []rule.Sample{
			{Source: "<?php\n$r = mysqli_query($db, \"SELECT * FROM users WHERE name = '\" . $_POST['name'] . \"'\");\n"},
			{Source: "<?php\nfunction find(PDO $pdo) {\n    $id = $_GET['id'];\n    $sql = \"SELECT * FROM items WHERE id = $id\";\n    return $pdo->query($sql);\n}\n"},
			{Source: "<?php\n$q = 'DELETE FROM cart WHERE';\n$q .= ' user = ' . $_COOKIE['user'];\n$db->exec($q);\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\n$st = $pdo->prepare('SELECT * FROM users WHERE name = ?');\n$st->execute([$_POST['name']]);\n"},
			{Source: "<?php\n$id = (int) $_GET['id'];\n$r = mysqli_query($db, \"SELECT * FROM items WHERE id = $id\");\n"},
			{Source: "<?php\n$name = mysqli_real_escape_string($db, $_POST['name']);\n$r = mysqli_query($db, \"SELECT * FROM users WHERE name = '$name'\");\n"},
			{Source: "<?php\nif (!ctype_digit($_GET['id'])) {\n    exit;\n}\n$r = mysqli_query($db, 'SELECT * FROM items WHERE id = ' . $_GET['id']);\n"},
			{Source: "<?php\n$r = $db->query('SELECT * FROM t WHERE ' . (preg_match('~^[0-9]+$~', $_GET['v']) ? 'id = ' . $_GET['v'] : '1'));\n"},
			{Source: "<?php\n$r = $index->query('title:' . $_GET['q']);\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				i, ok := functions[p.Callee(call)]
				if !ok && !(call.Kind() != "function_call_expression" && slices.Contains(methods, p.Method(call))) {
					continue
				}
				query := p.Arg(call, i)
				if !query.Valid() || !statement.MatchString(begin(p, query)) || !tainted(p, query) || checked(p, query, tests) || checked(p, value(p, query), tests) {
					continue
				}
				p.Report(call, "")
			}
		},
	}
}

// begin is the literal text with which the expression, or the first value of the variable it is, begins.
func begin(p *rule.Pass, n syntax.Node) string {
	if n.Kind() != "variable_name" {
		return head(p, n)
	}
	for _, a := range p.Assignments(p.Scope(n)) {
		if a.Target.Text() == n.Text() && !a.Augmented && a.Node.End() <= n.Start() {
			return head(p, a.Value)
		}
	}
	return ""
}

package php

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SQLInjection(p *rule.Pass) {
	functions := map[string]int{"mysql_query": 0, "mysqli_query": 1, "mysqli_multi_query": 1, "mysqli_real_query": 1, "pg_query": 1,
		"sqlite_query": 1, "mssql_query": 0, "odbc_exec": 1, "db_query": 0}
	methods := []string{"query", "exec", "multi_query", "real_query", "prepare", "execute", "get_results", "get_var", "get_row",
		"get_col", "whereRaw", "selectRaw", "raw", "orderByRaw", "createQuery", "executeQuery", "querySingle"}
	for _, call := range p.Calls() {
		i, ok := functions[p.Callee(call)]
		if !ok && !(call.Kind() != "function_call_expression" && slices.Contains(methods, p.Method(call))) {
			continue
		}
		query := p.Arg(call, i)
		if !query.Valid() || !sqlInjectionStatement.MatchString(begin(p, query)) || !tainted(p, query) ||
			checked(p, query, sqlInjectionTests) || checked(p, value(p, query), sqlInjectionTests) {
			continue
		}
		p.Report(call, "")
	}
}

var (
	sqlInjectionStatement = regexp.MustCompile(`(?is)^\s*\(?\s*(select\b|insert\s+into\b|update\s+\S+\s+set\b|` +
		`delete\s+from\b|replace\s+into\b|show\s|drop\s+table|alter\s+table|call\s)`)
	sqlInjectionTests = regexp.MustCompile(`(?i)^(is_numeric|ctype_|preg_match|in_array|intval|.*valid|.*check|.*escape|` +
		`settype|array_walk)`)
)

// begin is the literal text with which the expression, or the first value of the variable it is, begins.
func begin(p *rule.Pass, n rule.Node) string {
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

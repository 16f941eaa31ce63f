package csharp

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	sqlVerb    = regexp.MustCompile(`(?is)^\s*(select|insert|update|delete)\s.*\b(from|into|set|values|where)\b`)
	sqlQuoted  = regexp.MustCompile(`[^\w']'[%]?\{\}`)
	sqlCommand = regexp.MustCompile(`^(System\.Data\.SqlClient\.)?(Sql|MySql|Sqlite|SQLite|Npgsql|Oracle|OleDb|Odbc)(Command|DataAdapter)$`)
)

func (*checks) SQLInjection(p *rule.Pass) {
	report := func(at, text rule.Node) {
		whole := built(p, text)
		if sqlVerb.MatchString(whole) && (sqlQuoted.MatchString(whole) || request.MatchString(value(p, text).Text())) {
			p.Report(at, "")
		}
	}
	for _, n := range p.News() {
		if sqlCommand.MatchString(p.Callee(n)) {
			report(n, p.Arg(n, 0))
		}
	}
	for _, c := range p.Calls() {
		name, _, _ := strings.Cut(p.Method(c), "<")
		if rule.OneOf(name, "Query", "QueryAsync", "Execute", "ExecuteAsync", "QueryFirst", "QueryFirstOrDefault", "QuerySingle",
			"QueryFirstAsync", "QueryFirstOrDefaultAsync", "ExecuteScalar", "FromSqlRaw", "ExecuteSqlRaw", "ExecuteSqlRawAsync",
			"SqlQuery", "ExecuteSqlCommand", "SqlQueryRaw") {
			report(c, p.Arg(c, 0))
		}
	}
	for _, a := range p.Nodes("assignment_expression") {
		left := a.ChildByField("left").Text()
		if strings.HasSuffix(left, ".CommandText") || left == "CommandText" {
			report(a, a.ChildByField("right"))
		}
	}
}

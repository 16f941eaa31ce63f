package rust

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	sqlVerb   = regexp.MustCompile(`(?is)^\s*(select|insert|update|delete|replace)\s.*\b(from|into|set|values|where)\b`)
	sqlQuoted = regexp.MustCompile(`'%?\{[a-z_0-9]*\}`)
)

func (*checks) SQLInjection(p *rule.Pass) {
	for _, c := range p.Calls() {
		if !rule.OneOf(p.Method(c), "query", "execute", "query_as", "query_scalar", "prepare", "batch_execute", "query_one", "query_opt",
			"query_row", "sql_query", "raw_sql", "execute_batch", "simple_query", "query_map", "fetch_all", "exec", "query_drop") {
			continue
		}
		for _, a := range p.Args(c) {
			if text := formatted(p, a); sqlVerb.MatchString(text) && sqlQuoted.MatchString(text) {
				p.Report(c, "")
			}
		}
	}
}

package ruby

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SQLInjection(p *rule.Pass) {
	methods := []string{"where", "find_by_sql", "order", "having", "joins", "group", "execute", "exec_query", "select_all",
		"select_one", "select_value", "select_values", "update_all", "delete_all", "destroy_all", "count_by_sql", "reorder", "from",
		"pluck", "exists?", "exec_update", "exec_delete", "query"}
	for _, call := range p.MethodCalls(methods...) {
		text := first(p, call)
		literal, _, ok := p.String(text)
		for _, hole := range holes(p, text) {
			if sqlInjectionCleaned.MatchString(hole.Text()) {
				continue
			}
			if tainted(p, hole) && !listed(p, call, hole) {
				p.Report(call, hole.Text())
				break
			}
			if sqlInjectionSafe.MatchString(hole.Text()) {
				continue
			}
			// Quotes right around an argument of the method: a value, not a name of something.
			quoted := strings.Contains(text.Text(), "'#{"+hole.Text()+"}'") || strings.Contains(text.Text(), "'%#{"+hole.Text()+"}%'")
			if ok && quoted && sqlInjectionClause.MatchString(literal) && hole.Kind() == "identifier" &&
				slices.Contains(p.ParameterNames(p.Function(call)), hole.Text()) {
				p.Report(call, hole.Text())
				break
			}
		}
	}
}

var (
	sqlInjectionClause  = regexp.MustCompile(`(?i)\b(select|insert into|update|delete from|where|like|order by)\b|\w\s*(=|<>|!=|<=|>=)\s*'`)
	sqlInjectionCleaned = regexp.MustCompile(`(?i)quote|sanitize|escape|\.to_[if]\b`)
	sqlInjectionSafe    = regexp.MustCompile(`(?i)quote|sanitize|escape|to_i\b|to_f\b|\bid\b|_id\b|table|column|Arel|connection|\.to_sql`)
)

// listed tells whether the method compares what is put in with a list before the call.
func listed(p *rule.Pass, call, hole rule.Node) bool {
	for c := range p.Scope(call).Find("call") {
		if c.Start() >= call.Start() {
			break
		}
		if m := p.Method(c); m == "include?" || m == "key?" || m == "match?" || m == "has_key?" || m == "member?" || m == "column_names" {
			for _, a := range p.Args(c) {
				if a.Text() == hole.Text() || strings.Contains(hole.Text(), a.Text()) {
					return true
				}
			}
		}
	}
	return false
}

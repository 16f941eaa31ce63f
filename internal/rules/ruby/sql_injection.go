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
		text := p.Arg(call, 0)
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
	return rule.Any(p.Scope(call).Find("call"), func(c rule.Node) bool {
		return c.Start() < call.Start() && rule.OneOf(p.Method(c), "include?", "key?", "match?", "has_key?", "member?", "column_names") &&
			slices.ContainsFunc(p.Args(c), func(a rule.Node) bool { return strings.Contains(hole.Text(), a.Text()) })
	})
}

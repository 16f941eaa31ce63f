package kotlin

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	sqlVerb   = regexp.MustCompile(`(?is)^\s*(select|insert|update|delete|replace)\s.*\b(from|into|set|values|where)\b`)
	sqlQuoted = regexp.MustCompile(`[^\w']'%?\{\}`)
)

func (*checks) SQLInjection(p *rule.Pass) {
	for _, c := range p.MethodCalls("rawQuery", "execSQL", "executeQuery", "executeUpdate", "execute", "prepareStatement", "createQuery",
		"createNativeQuery", "query", "queryForObject", "queryForList", "exec", "update") {
		if text := built(p, p.Arg(c, 0)); sqlVerb.MatchString(text) && sqlQuoted.MatchString(text) {
			p.Report(c, "")
		}
	}
}

package javascript

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	sqlStart = regexp.MustCompile(`(?is)^\s*(select\b.*\bfrom\b|insert\s+into\b|update\b.*\bset\b|delete\s+from\b|` +
		`replace\s+into\b|with\b.*\bselect\b)`)
	valuePlace = regexp.MustCompile(`(?is)((\bwhere\b|\band\b|\bor\b|\bset\b|\bon\b|,)\s*\(*\s*[\w.\x60"\[\]]+\s*(=|<>|!=|<|` +
		`>|<=|>=)\s*['"]?%?|\blike\s+['"]?%?|\bin\s*\(\s*['"]?|\bvalues?\s*\([^)]*['"]|=\s*['"]%?|\blimit\s+)$`)
	sqlMethods = []string{"query", "execute", "exec", "run", "all", "get", "each", "raw", "prepare", "$queryRawUnsafe",
		"$executeRawUnsafe", "unsafe"}
)

// objectName matches values that name tables and columns in queries of the
// catalogue: mappers are full of them, and they do not come from users.
var objectName = regexp.MustCompile(`(?i)(schema|table|column|database|catalog|index|constraint|type|alias|` +
	`relation)(_?names?)?$|tableOrIndex`)

// SQLInjection looks for statements with values in their text. Tagged templates
// (sql`...`) bind their values and are left alone.
func (*checks) SQLInjection(p *rule.Pass) {
	for _, call := range methodCalls(p, sqlMethods...) {
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
				p.ReportAs(call, severity, "the text holds "+rule.FirstLine(x))
				break
			}
		}
	}
}

// unboundValue gives the part of a statement that stands where a value could
// be bound, or that comes from the request.
func unboundValue(p *rule.Pass, text rule.Node) rule.Node {
	ps := parts(p, text)
	if len(ps) == 0 || !sqlStart.MatchString(ps[len(ps)-1].before+" "+text.Text()[len(text.Text())-1:]) &&
		!sqlStart.MatchString(literal(p, text)) {
		return rule.Node{}
	}
	for _, x := range ps {
		if harmless(p, x.node) || objectName.MatchString(strings.TrimRight(x.node.Text(), `"'])`)) && !requestFlow(p).Tainted(x.node) {
			continue
		}
		if valuePlace.MatchString(x.before) || requestFlow(p).Tainted(x.node) {
			return x.node
		}
	}
	return rule.Node{}
}

// literal is the constant text of a template or concatenation.
func literal(p *rule.Pass, text rule.Node) string {
	s := ""
	text.Walk(func(n rule.Node) bool {
		if n.Kind() == "string_fragment" {
			s += n.Text() + " "
		}
		return n.Kind() != "template_substitution" && n.Kind() != "call_expression"
	})
	return s
}

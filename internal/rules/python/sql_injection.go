package python

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SQLInjection(p *rule.Pass) {
	for _, call := range p.MethodCalls("execute", "executemany", "executescript", "raw", "read_sql", "read_sql_query", "exec_driver_sql",
		"fetch", "fetchrow", "fetchval") {
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
}

var (
	sqlVerb = regexp.MustCompile(`(?is)^\s*(select\s.*\bfrom\b|insert\s+(or\s+\w+\s+)?into\b|replace\s+into\b|` +
		`update\s.*\bset\b|delete\s+from\b|with\s.*\bselect\b|merge\s+into\b)`)
	// What stands before a value, not before the name of a table or a column.
	valuePosition = regexp.MustCompile(`(?is)(=|<|>|<>|!=|\blike|\bvalues\s*\(|\bin\s*\(|\bbetween|\band|\blimit|` +
		`\boffset)\s*\(?\s*$|['"]%?$|\bvalues\s*\([^)]*,\s*$`)
)

// sqlHole finds the expression that makes a statement injectable: one of the request anywhere, or one of unknown origin
// where a value belongs.
func sqlHole(p *rule.Pass, statement rule.Node) (hole rule.Node, tainted bool) {
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
func unknownText(p *rule.Pass, n rule.Node) bool {
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
		return !p.Constant(n) && rule.OneOf(strings.ToLower(rootNode(n).Text()), "request", "user", "form", "data", "args", "params")
	case "subscript":
		return n.ChildByField("subscript").Kind() == "string" && unknownText(p, n.ChildByField("value"))
	case "call":
		name := callee(p, n)
		if name == "str" || name == "input" || strings.HasSuffix(name, ".strip") || strings.HasSuffix(name, ".lower") ||
			strings.HasSuffix(name, ".upper") {
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

var numberLike = regexp.MustCompile(`(?i)(^|_)(placeholders?|marks|qmarks|count|limit|offset|num|size|n|i|j|idx|index|table|` +
	`tablename|table_name|column|columns|cols|fields|where|clause|conditions?|schema|order|sort|direction)$|^(i|j|k|n)$`)

func annotatedNumber(p *rule.Pass, name rule.Node) bool {
	return slices.ContainsFunc(p.Parameters(p.Function(name)), func(prm rule.Node) bool {
		return prm.Is("typed_parameter", "typed_default_parameter") && slices.Contains(p.Names(prm), name.Text()) &&
			numberTyped.MatchString(prm.Text())
	})
}

var numberTyped = regexp.MustCompile(`:\s*(int|float|bool|Decimal|UUID|datetime|date)\b`)

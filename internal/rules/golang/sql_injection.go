package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var sqlStart = regexp.MustCompile(`(?is)^\W*(select\b.*\bfrom\b|select\b.*\bwhere\b|insert\s+into\b|update\b.*\bset\b|` +
	`delete\s+from\b|drop\s+(table|database)\b|alter\s+table\b|replace\s+into\b)`)

// SQLInjection looks for statements whose values are formatted into the text.
// Table and column names cannot be bound, so a value that follows FROM, INTO,
// UPDATE or ORDER BY is left alone unless it came from a request.
func (*checks) SQLInjection(p *rule.Pass) {
	for _, call := range p.Calls() {
		_, name := method(call)
		if !rule.OneOf(name, "Query", "QueryRow", "Exec", "QueryContext", "QueryRowContext", "ExecContext", "Prepare", "PrepareContext",
			"Queryx", "MustExec", "Raw") {
			continue
		}
		args := p.Args(call)
		if strings.HasSuffix(name, "Context") || len(args) > 1 && strings.Contains(strings.ToLower(args[0].Text()), "ctx") {
			args = args[min(1, len(args)):]
		}
		if len(args) == 0 {
			continue
		}
		if text, part := unsafeStatement(p, args[0]); text.Valid() {
			severity := "high"
			if requestFlow(p).Tainted(part) {
				severity = "critical"
			}
			p.ReportAs(call, severity, "the text holds "+rule.FirstLine(part))
		}
	}
}

// unsafeStatement follows a query argument to the expression that builds it and
// gives that expression and the part that should have been bound.
func unsafeStatement(p *rule.Pass, query rule.Node) (text, part rule.Node) {
	exprs := []rule.Node{query}
	if query.Kind() == "identifier" {
		exprs = nil
		for _, v := range values(p.Scope(query), query.Text()) {
			if v.stmt.Start() < query.Start() && v.names == 1 {
				exprs = append(exprs, v.expr)
			}
		}
	}
	for _, e := range exprs {
		if !sqlStart.MatchString(literalText(p, e)) {
			continue
		}
		for _, part := range boundParts(p, e) {
			return e, part
		}
	}
	return rule.Node{}, rule.Node{}
}

// boundParts gives the dynamic parts of a statement that stand where a value
// could be bound, and those of any place that come from a request.
func boundParts(p *rule.Pass, e rule.Node) []rule.Node {
	var parts []rule.Node
	before := ""
	add := func(n rule.Node) {
		if constant(p, n) || harmlessText(p, n) || builtLocally(p, n) {
			return
		}
		if valuePlace.MatchString(before) || requestFlow(p).Tainted(n) {
			parts = append(parts, n)
		}
	}
	switch e = rule.Bare(e); e.Kind() {
	case "binary_expression":
		for _, n := range operands(e) {
			if s, _, ok := p.String(n); ok {
				before += s
				continue
			}
			add(n)
			before += "x"
		}
	case "call_expression":
		args := p.Args(e)
		if !callTo(p, e, "fmt", "Sprintf") || len(args) < 2 {
			return nil
		}
		format, _, ok := p.String(args[0])
		verbs := verbsOf(format)
		if !ok {
			return nil
		}
		rest := format
		for i, a := range args[1:] {
			if i >= len(verbs) {
				break
			}
			at := verbAt(rest)
			before += rest[:at]
			rest = rest[min(at+2, len(rest)):]
			if strings.ContainsRune("sv", verbs[i]) {
				add(a)
			}
		}
	}
	return parts
}

// valuePlace matches text after which SQL wants a value.
var valuePlace = regexp.MustCompile(`(?is)((\bwhere\b|\band\b|\bor\b|\bset\b|\bon\b|,)\s+[\w.\x60"\[\]]+\s*(=|<>|!=|<|>|<=|` +
	`>=)\s*['"]?%?|\blike\s+(binary\s+)?['"]?%?|\bin\s*\(\s*['"]?|\bvalues?\s*\(.*['"]|=\s*['"]%?|\blimit\s+)$`)

func verbAt(s string) int {
	for i := 0; i+1 < len(s); i++ {
		if s[i] == '%' && s[i+1] == '%' {
			i++
		} else if s[i] == '%' {
			return i
		}
	}
	return len(s)
}

// operands flattens a chain of +.
func operands(n rule.Node) []rule.Node {
	n = rule.Bare(n)
	if n.Kind() != "binary_expression" || n.Operator() != "+" {
		return []rule.Node{n}
	}
	return append(operands(n.ChildByField("left")), operands(n.ChildByField("right"))...)
}

func literalText(p *rule.Pass, n rule.Node) string {
	n = rule.Bare(n)
	if n.Kind() == "call_expression" && callTo(p, n, "fmt", "Sprintf") && len(p.Args(n)) > 0 {
		n = p.Args(n)[0]
	}
	var b strings.Builder
	for _, o := range operands(n) {
		s, _, _ := p.String(o)
		b.WriteString(s)
		b.WriteByte(' ')
	}
	return b.String()
}

// builtLocally tells whether a name only ever gets constants, joins of them or
// numbers in its function: lists of placeholders and the like.
func builtLocally(p *rule.Pass, n rule.Node) bool {
	if n.Kind() != "identifier" {
		return false
	}
	vs := values(p.Scope(n), n.Text())
	for _, v := range vs {
		if v.expr.Valid() && !constant(p, v.expr) && !harmlessText(p, v.expr) {
			return false
		}
	}
	return len(vs) > 0
}

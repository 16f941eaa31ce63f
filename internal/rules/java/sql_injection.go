package java

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SQLInjection(p *rule.Pass) {
	sinks := []string{"executeQuery", "executeUpdate", "execute", "executeLargeUpdate", "addBatch", "prepareStatement", "prepareCall",
		"createQuery", "createNativeQuery", "createSQLQuery", "queryForObject", "queryForList", "queryForMap", "queryForRowSet",
		"query", "update", "batchUpdate", "rawQuery", "execSQL", "nativeSQL"}
	for _, call := range p.MethodCalls(sinks...) {
		if !receiver(call).Valid() {
			continue
		}
		first, all := operands(p, value(p, p.Arg(call, 0)))
		if !sqlInjectionStatement.MatchString(first) {
			continue
		}
		flow := input(p)
		for _, o := range all {
			if sqlInjectionEscaped.MatchString(o.node.Text()) || numeric(p, o.node) || p.Constant(o.node) {
				continue
			}
			if flow.Tainted(o.node) || o.quoted && text(p, o.node) {
				p.Report(call, o.node.Text())
				break
			}
		}
	}
}

var (
	sqlInjectionStatement = regexp.MustCompile(`(?is)^\s*\(?\s*(select\b.*\bfrom\b|insert\s+into\b|update\s+\S+\s+set\b|` +
		`delete\s+from\b|from\s+\w+.*\bwhere\b|replace\s+into\b|merge\s+into\b)`)
	sqlInjectionVerbs   = regexp.MustCompile(`'?%[0-9$.\-]*[a-z]`)
	sqlInjectionEscaped = regexp.MustCompile(`(?i)escape|quote|encode|sanitiz|literal`)
)

// operand is a part of a built text that is no literal; quoted says that a quote stands right before it.
type operand struct {
	node   rule.Node
	quoted bool
}

// operands takes a concatenation or a String.format apart: how its text begins, and what is put into it.
func operands(p *rule.Pass, built rule.Node) (first string, all []operand) {
	if built.Kind() == "method_invocation" && callee(p, built) == "String.format" {
		args := p.Args(built)
		if len(args) < 2 {
			return "", nil
		}
		format, _, _ := p.String(args[0])
		for i, verb := range sqlInjectionVerbs.FindAllString(format, -1) {
			if i+1 < len(args) {
				all = append(all, operand{args[i+1], strings.HasPrefix(verb, "'")})
			}
		}
		return format, all
	}
	before := ""
	for i, piece := range parts(built) {
		if s, _, ok := p.String(piece); ok {
			if before = s; i == 0 {
				first = s
			}
			continue
		}
		all = append(all, operand{piece, strings.HasSuffix(before, "'")})
		before = ""
	}
	return first, all
}

// text tells whether n is a variable of type String.
func text(p *rule.Pass, n rule.Node) bool {
	n = rule.Bare(n)
	if n.Kind() == "method_invocation" {
		return strings.HasSuffix(p.Method(n), "getText") || p.Method(n) == "trim"
	}
	return typeOf(p, n, n.Text()) == "String" && !strings.Contains(strings.ToLower(n.Text()), "table")
}

func numeric(p *rule.Pass, n rule.Node) bool {
	return isOf(p, rule.Bare(n), "int", "long", "short", "byte", "double", "float", "boolean", "Integer", "Long", "UUID", "Date", "Timestamp")
}

package c

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

var (
	numberRead = regexp.MustCompile(`^(atoi|atol|atoll|strtol|strtoul|strtoll|strtoull|ntohl|be32toh|le32toh|be64toh|le64toh)$`)
	tooLarge   = regexp.MustCompile(`(?i)overflow|_MAX\b|__builtin_mul|\bmax`)
)

// AllocationOverflow looks for sizes that are a product of a number read from text or from the network, which nothing compares.
func (*checks) AllocationOverflow(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		if len(args) == 0 || !rule.OneOf(p.Callee(call), "malloc", "realloc", "alloca", "xmalloc", "kmalloc", "g_malloc") {
			continue
		}
		size, function := rule.Bare(args[len(args)-1]), p.Function(call)
		if p.Callee(call) == "kmalloc" {
			size = rule.Bare(args[0])
		}
		if !short(function) || size.Kind() != "binary_expression" || size.Operator() != "*" || broken(function) ||
			tooLarge.MatchString(function.Text()) {
			continue
		}
		for _, side := range []string{"left", "right"} {
			if n := rule.Bare(size.ChildByField(side)); unboundedNumber(p, function, n, call.Start()) {
				p.Report(call, n.Text())
			}
		}
	}
}

// unboundedNumber tells whether n is a number, or a variable given one, that was read from outside, and that no condition looks at.
func unboundedNumber(p *rule.Pass, function, n rule.Node, before int) bool {
	if p.IsCall(n) {
		return numberRead.MatchString(p.Callee(n))
	}
	if !n.Is("identifier") {
		return false
	}
	var values []rule.Node
	for _, a := range p.Assignments(function) {
		if strings.TrimLeft(a.Target.Text(), "* ") == n.Text() && a.Node.Start() < before {
			values = append(values, rule.Bare(a.Value))
		}
	}
	given := len(values) == 1 && p.IsCall(values[0]) && numberRead.MatchString(p.Callee(values[0]))
	return given && !rule.Any(function.Find("binary_expression", "conditional_expression", "call_expression"), func(c rule.Node) bool {
		switch {
		case c.Start() >= before:
			return false
		case c.Is("call_expression"): // a function that may look at it
			return !rule.OneOf(p.Callee(c), "printf", "fprintf") && !rule.Inside(c, values[0]) &&
				slices.ContainsFunc(p.Args(c), func(a rule.Node) bool { return a.Mentions(n.Text()) })
		}
		return rule.OneOf(c.Operator(), "<", "<=", ">", ">=", "==", "!=") && c.Mentions(n.Text())
	})
}

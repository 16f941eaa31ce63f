package c

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) MallocStrlen(p *rule.Pass) {
	for _, call := range p.Calls() {
		args := p.Args(call)
		if !rule.OneOf(p.Callee(call), "malloc", "realloc", "alloca", "xmalloc", "kmalloc") || len(args) == 0 ||
			!onlyLengths(p, args[len(args)-1]) {
			continue
		}
		function := p.Function(call)
		if !function.Valid() || broken(function) {
			continue
		}
		for _, a := range p.Assignments(function) {
			target := a.Target
			for target.Kind() == "pointer_declarator" {
				target = target.ChildByField("declarator")
			}
			if rule.Bare(a.Value) == call && stringWritten(p, function, target.Text(), call) {
				p.Report(call, "")
			}
		}
	}
}

// onlyLengths tells whether n is strlen(x), or a sum of such calls.
func onlyLengths(p *rule.Pass, n rule.Node) bool {
	n = rule.Bare(n)
	if n.Kind() == "binary_expression" && n.Operator() == "+" {
		return onlyLengths(p, n.ChildByField("left")) && onlyLengths(p, n.ChildByField("right"))
	}
	return n.Kind() == "call_expression" && p.Callee(n) == "strlen"
}

// stringWritten tells whether a text with its terminator is copied to the variable behind the allocation, from what
// was measured.
func stringWritten(p *rule.Pass, function rule.Node, name string, allocation rule.Node) bool {
	var measured []string
	for c := range allocation.Find("call_expression") {
		if p.Callee(c) == "strlen" {
			measured = append(measured, p.Arg(c, 0).Text())
		}
	}
	return rule.Any(function.Find("call_expression"), func(c rule.Node) bool {
		return c.Start() > allocation.End() && rule.OneOf(p.Callee(c), "strcpy", "strcat") && p.Arg(c, 0).Text() == name &&
			slices.Contains(measured, p.Arg(c, 1).Text()) && (len(measured) == 1 || p.Callee(c) == "strcat")
	})
}

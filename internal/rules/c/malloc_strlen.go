package c

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func mallocStrlen() rule.Rule {
	return rule.Rule{
		ID: "c/malloc-strlen", Title: "memory for a string is allocated without room for its terminator",
		Category: "memory-safety", CWE: "CWE-131", Severity: "high", Confidence: 0.93,
		Languages: []string{"c"},
		Explanation: "strlen does not count the terminating NUL, but strcpy, strcat and sprintf write it: one byte lands behind the allocation and damages the " +
			"allocator's data or the next object.",
		Suggestion: "Allocate strlen(s) + 1 bytes, or call strdup.",
		Bad: []rule.Sample{
			{Source: "char *keep(const char *s) {\n    char *b = malloc(strlen(s));\n    if (b)\n        strcpy(b, s);\n    return b;\n}\n"},
			{Source: "char *join(const char *a, const char *z) {\n    char *b = malloc(strlen(a) + strlen(z));\n    if (!b)\n        return NULL;\n    strcpy(b, a);\n    strcat(b, z);\n    return b;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "char *keep(const char *s) {\n    char *b = malloc(strlen(s) + 1);\n    if (b)\n        strcpy(b, s);\n    return b;\n}\n"},
			{Source: "char *raw(const char *s) {\n    char *b = malloc(strlen(s));\n    if (b)\n        memcpy(b, s, strlen(s));\n    return b;\n}\n"},
			{Source: "char *name(const char *s) {\n    char *b = malloc(strlen(s) + sizeof(\".txt\"));\n    if (b) {\n        strcpy(b, s);\n        strcat(b, \".txt\");\n    }\n    return b;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				args := p.Args(call)
				if !slices.Contains([]string{"malloc", "realloc", "alloca", "xmalloc", "kmalloc"}, p.Callee(call)) || len(args) == 0 || !onlyLengths(p, args[len(args)-1]) {
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
					if bare(a.Value) == call && stringWritten(p, function, target.Text(), call) {
						p.Report(call, "")
					}
				}
			}
		},
	}
}

// onlyLengths tells whether n is strlen(x), or a sum of such calls.
func onlyLengths(p *rule.Pass, n syntax.Node) bool {
	n = bare(n)
	if n.Kind() == "binary_expression" && operator(n) == "+" {
		return onlyLengths(p, n.ChildByField("left")) && onlyLengths(p, n.ChildByField("right"))
	}
	return n.Kind() == "call_expression" && p.Callee(n) == "strlen"
}

// stringWritten tells whether a text with its terminator is copied to the variable behind the allocation, from what
// was measured.
func stringWritten(p *rule.Pass, function syntax.Node, name string, allocation syntax.Node) bool {
	var measured []string
	for c := range allocation.Find("call_expression") {
		if p.Callee(c) == "strlen" {
			measured = append(measured, p.Arg(c, 0).Text())
		}
	}
	for c := range function.Find("call_expression") {
		if c.Start() > allocation.End() && slices.Contains([]string{"strcpy", "strcat"}, p.Callee(c)) && p.Arg(c, 0).Text() == name &&
			slices.Contains(measured, p.Arg(c, 1).Text()) && (len(measured) == 1 || p.Callee(c) == "strcat") {
			return true
		}
	}
	return false
}

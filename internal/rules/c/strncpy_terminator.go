package c

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) StrncpyTerminator(p *rule.Pass) {
	readers := []string{"printf", "fprintf", "puts", "fputs", "strlen", "strcmp", "strcasecmp", "strcpy", "strcat", "strdup", "strchr",
		"strrchr", "strstr", "open", "fopen", "unlink", "chdir", "mkdir", "system", "syslog", "strtok", "atoi", "sprintf", "snprintf",
		"stat", "opendir"}
	p.ReportWhere(p.Calls(), func(call rule.Node) bool {
		name, args := p.Callee(call), p.Args(call)
		if name != "strncpy" && name != "strncat" || len(args) != 3 || p.IsString(args[1]) {
			return false
		}
		function := p.Function(call)
		v, ok := variables(p, function)[args[0].Text()]
		if !ok || !v.chars() || !fullSize(args[2], v) {
			return false
		}
		return name == "strncat" || !terminated(function, v.name) && readAfter(p, function, call, v.name, readers)
	})
}

func fullSize(n rule.Node, v variable) bool {
	n = rule.Bare(n)
	return sizeofName(n) == v.name || n.Text() == v.size.Text() && (n.Kind() == "number_literal" || n.Kind() == "identifier")
}

// terminated tells whether some element of the array is assigned on its own.
func terminated(function rule.Node, name string) bool {
	return rule.Any(function.Find("assignment_expression"), func(a rule.Node) bool {
		left := a.ChildByField("left")
		return left.Kind() == "subscript_expression" && left.ChildByField("argument").Text() == name || left.Kind() == "pointer_expression"
	})
}

func readAfter(p *rule.Pass, function, call rule.Node, name string, readers []string) bool {
	return rule.Any(function.Find("call_expression"), func(c rule.Node) bool {
		return c.Start() > call.End() && slices.Contains(readers, p.Callee(c)) &&
			slices.ContainsFunc(p.Args(c), func(a rule.Node) bool { return rule.Bare(a).Text() == name })
	})
}

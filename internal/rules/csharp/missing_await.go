package csharp

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// MissingAwait looks for calls of the class's own asynchronous methods that nobody waits for, in methods that could.
func (*checks) MissingAwait(p *rule.Pass) {
	methods := p.Unique(func(m rule.Node) string { return m.ChildByField("name").Text() }, "method_declaration")
	for _, call := range p.Calls() {
		function := p.Function(call)
		if call.Parent().Kind() != "expression_statement" || function.Kind() != "method_declaration" || !modified(function, "async") {
			continue
		}
		name := call.ChildByField("function").Text()
		method := methods[strings.TrimPrefix(name, "this.")]
		if method.Valid() && p.Class(method) == p.Class(function) && taskOf(method) {
			p.Report(call, "")
		}
	}
}

func taskOf(method rule.Node) bool {
	result := rule.Either(method.ChildByField("returns"), method.ChildByField("type")).Text()
	return modified(method, "async") && (result == "Task" || strings.HasPrefix(result, "Task<"))
}

func modified(method rule.Node, word string) bool {
	return rule.Any(method.NamedChildren(), func(c rule.Node) bool { return c.Kind() == "modifier" && c.Text() == word })
}

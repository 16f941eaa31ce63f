package golang

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// declaredType is the text of the type with which n declares name by var, ""
// when it does not.
func declaredType(n rule.Node, name string) string {
	return rule.First(n.Find("var_spec"), func(spec rule.Node) bool {
		return slices.ContainsFunc(specNames(spec), func(c rule.Node) bool { return c.Text() == name })
	}).ChildByField("type").Text()
}

// specNames gives the names that one line of a var or const declaration declares.
func specNames(spec rule.Node) []rule.Node {
	return rule.Where(slices.Collect(spec.Children()), func(c rule.Node) bool { return c.Field() == "name" })
}

// isWaitGroup tells whether name is declared a sync.WaitGroup in fn.
func isWaitGroup(p *rule.Pass, fn rule.Node, name string) bool {
	t := declaredType(fn, name)
	if t == "" {
		t = parameters(fn)[name]
	}
	if strings.HasSuffix(t, "sync.WaitGroup") {
		return true
	}
	return slices.ContainsFunc(values(fn, name), func(v value) bool {
		return rule.OneOf(v.expr.Text(), "&sync.WaitGroup{}", "sync.WaitGroup{}", "new(sync.WaitGroup)")
	})
}

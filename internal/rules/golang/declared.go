package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// declares tells whether fn itself declares name by var, with or without a
// value.
func declares(p *rule.Pass, fn rule.Node, name string) bool {
	return declaredType(p, fn, name) != ""
}

// declaredType is the text of the type with which n declares name by var, ""
// when it does not.
func declaredType(_ *rule.Pass, n rule.Node, name string) string {
	for spec := range n.Find("var_spec") {
		for c := range spec.Children() {
			if c.Field() == "name" && c.Text() == name {
				return spec.ChildByField("type").Text()
			}
		}
	}
	return ""
}

// isWaitGroup tells whether name is declared a sync.WaitGroup in fn.
func isWaitGroup(p *rule.Pass, fn rule.Node, name string) bool {
	t := declaredType(p, fn, name)
	if t == "" {
		t = parameters(fn)[name]
	}
	if strings.HasSuffix(t, "sync.WaitGroup") {
		return true
	}
	for _, v := range values(fn, name) {
		if s := v.expr.Text(); s == "&sync.WaitGroup{}" || s == "sync.WaitGroup{}" || s == "new(sync.WaitGroup)" {
			return true
		}
	}
	return false
}

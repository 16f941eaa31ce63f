package java

import (
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SharedDateFormat(p *rule.Pass) {
	for _, d := range p.Nodes("field_declaration") {
		if t := d.ChildByField("type").Text(); t != "SimpleDateFormat" && t != "DateFormat" || !hasModifier(d, "static") {
			continue
		}
		v := d.ChildByField("declarator")
		if callee(p, v.ChildByField("value")) != "SimpleDateFormat" {
			continue
		}
		name := v.ChildByField("name").Text()
		if use := unguardedUse(p, name); use.Valid() {
			p.Report(d, "used unguarded at line "+strconv.Itoa(use.Line()))
		}
	}
}

func hasModifier(d rule.Node, word string) bool {
	m := d.NamedChild(0)
	return m.Is("modifiers") && rule.Any(m.Children(), func(c rule.Node) bool { return c.Text() == word })
}

// unguardedUse is a format or parse call on the field outside of any lock, the zero Node if there is none.
func unguardedUse(p *rule.Pass, name string) rule.Node {
	for _, call := range p.MethodCalls("format", "parse") {
		if strings.TrimPrefix(receiver(call).Text(), "this.") != name {
			continue
		}
		method := outermost(p, call)
		if method.Valid() && method.Kind() != "static_initializer" && !hasModifier(method, "synchronized") &&
			!call.Enclosing("synchronized_statement").Valid() && !strings.Contains(method.Text(), ".lock()") {
			if t, local := declaredIn(method, name); !local || t == "" {
				return call
			}
		}
	}
	return rule.Node{}
}

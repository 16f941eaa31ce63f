package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// SynchronizedDropped takes the lock from a method whose fields other methods of the class touch under it: threads now
// see half-done changes, and lose some.
func (*operators) SynchronizedDropped(f file) {
	for m := range f.Root.Find("method_declaration") {
		if !modifier(m, "synchronized") || modifier(m, "static") {
			continue
		}
		name := guarded(m)
		if name == "" || glance(m) {
			continue
		}
		words := m.NamedChild(0)
		var kept []string
		for _, w := range strings.Fields(words.Text()) {
			if w != "synchronized" {
				kept = append(kept, w)
			}
		}
		end := m.ChildByField("name").End()
		rest := strings.TrimLeft(f.Text[words.End():end], " ")
		if len(kept) > 0 {
			rest = strings.Join(kept, " ") + " " + rest
		}
		f.Report(f.Edit(m.Start(), end, rest),
			"%s is not synchronized, while other methods of the class touch %s under the lock", qualified(m), name)
	}
}

// glance says whether a method only looks at a value or a size: without the lock it may see an old one, and no more.
func glance(m syntax.Node) bool {
	body := m.ChildByField("body").Elements()
	if len(body) != 1 || body[0].Kind() != "return_statement" {
		return false
	}
	value := body[0].NamedChild(0)
	return value.Kind() == "identifier" || slices.Contains([]string{"size", "isEmpty"}, called(value))
}

// guarded is a field that changes and that both this method and another synchronized one use.
func guarded(m syntax.Node) string {
	c := class(m)
	for d := range c.ChildByField("body").NamedChildren() {
		if d.Kind() != "field_declaration" || modifier(d, "static") {
			continue
		}
		name := d.ChildByField("declarator").ChildByField("name").Text()
		if modifier(d, "final") && !strings.Contains(d.ChildByField("type").Text(), "<") || !m.ChildByField("body").Mentions(name) {
			continue
		}
		for o := range c.ChildByField("body").NamedChildren() {
			if o.Kind() == "method_declaration" && o != m && modifier(o, "synchronized") && o.ChildByField("body").Mentions(name) {
				return name
			}
		}
	}
	return ""
}

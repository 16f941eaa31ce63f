package golang

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// CopiedLock looks for locks that a value receiver or parameter copies.
func (*checks) CopiedLock(p *rule.Pass) {
	pkg := imported(p, "sync")
	if pkg == "" {
		return
	}
	lock := map[string]bool{}
	for _, name := range []string{"Mutex", "RWMutex", "WaitGroup", "Once", "Cond"} {
		lock[pkg+"."+name] = true
	}
	holders := map[string]bool{}
	for _, spec := range p.Nodes("type_spec") {
		if st := spec.ChildByField("type"); st.Kind() == "struct_type" && holdsLock(st, lock) {
			holders[spec.ChildByField("name").Text()] = true
		}
	}
	for _, fn := range p.Functions() {
		if r := fn.ChildByField("receiver"); r.Valid() {
			for d := range r.NamedChildren() {
				t := d.ChildByField("type").Text()
				t, _, _ = strings.Cut(t, "[")
				if holders[t] && d.ChildByField("name").Valid() && d.ChildByField("name").Text() != "_" {
					p.Report(r, t+" holds a lock and is received by value")
				}
			}
		}
		for d := range fn.ChildByField("parameters").NamedChildren() {
			if t := d.ChildByField("type"); lock[t.Text()] && d.Kind() == "parameter_declaration" {
				p.Report(d, "")
			}
		}
	}
}

// holdsLock tells whether a struct has a lock as a direct field.
func holdsLock(st rule.Node, lock map[string]bool) bool {
	return rule.Any(st.Find("field_declaration"), func(f rule.Node) bool {
		return f.Parent().Parent() == st && lock[f.ChildByField("type").Text()] && !strings.Contains(f.Text(), "*")
	})
}

package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) SharedLock(p *rule.Pass) {
	shared := []string{"String", "Integer", "Long", "Boolean", "Short", "Byte", "Character"}
	for _, s := range p.Nodes("synchronized_statement") {
		lock := rule.Bare(s.NamedChild(0))
		if p.IsString(lock) {
			p.Report(s, "")
			continue
		}
		name := strings.TrimPrefix(lock.Text(), "this.")
		d := field(p.Class(s), name)
		if !d.Valid() || !slices.Contains(shared, d.ChildByField("type").Text()) {
			continue
		}
		if v := d.ChildByField("declarator").ChildByField("value"); v.Kind() != "object_creation_expression" && v.Valid() {
			p.Report(s, name)
		}
	}
}

package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) EqualsWithoutHashCode(p *rule.Pass) {
	for _, class := range p.Nodes("class_declaration") {
		if class.ChildByField("superclass").Valid() || strings.Contains(class.NamedChild(0).Text(), "EqualsAndHashCode") ||
			strings.Contains(class.NamedChild(0).Text(), "@Data") ||
			strings.Contains(class.ChildByField("interfaces").Text(), "Comparator") {
			continue
		}
		var equals rule.Node
		hash := false
		for m := range class.ChildByField("body").NamedChildren() {
			if m.Kind() != "method_declaration" {
				continue
			}
			params := p.Parameters(m)
			switch m.ChildByField("name").Text() {
			case "equals":
				if len(params) == 1 && strings.TrimPrefix(params[0].ChildByField("type").Text(), "java.lang.") == "Object" {
					equals = m
				}
			case "hashCode":
				hash = hash || len(params) == 0
			}
		}
		if !equals.Valid() || hash || !equals.ChildByField("body").Valid() {
			continue
		}
		// Identity and refusal agree with Object.hashCode.
		body := equals.ChildByField("body").Statements()
		if len(body) == 0 || strings.Contains(body[len(body)-1].Text(), "super.equals") {
			continue
		}
		if only := body[0].Text(); len(body) == 1 && !strings.Contains(only, "instanceof") && !strings.Contains(only, "getClass") {
			continue
		}
		p.Report(equals, "class "+class.ChildByField("name").Text())
	}
}

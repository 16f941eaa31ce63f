package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) ModifiedWhileIterating(p *rule.Pass) {
	for _, loop := range p.Nodes("for_statement") {
		over := loop.ChildByField("right")
		mapping := false
		if over.Kind() == "call" {
			f := over.ChildByField("function")
			if f.Kind() != "attribute" || !rule.OneOf(f.ChildByField("attribute").Text(), "items", "keys", "values") ||
				len(p.Args(over)) > 0 {
				continue
			}
			over, mapping = f.ChildByField("object"), true
		}
		if over.Kind() != "identifier" && over.Kind() != "attribute" || over.Text() == "self" {
			continue
		}
		body := loop.ChildByField("body")
		if strings.Contains(body.Text(), over.Text()+" = ") {
			continue
		}
		for n := range body.Find("call", "delete_statement") {
			if p.Function(n) == p.Function(loop) && shrinks(n, over.Text(), mapping) && !leaves(n, loop) {
				p.Report(n, "in the loop over "+over.Text())
			}
		}
	}
}

func shrinks(n rule.Node, name string, mapping bool) bool {
	if n.Is("delete_statement") {
		d := n.NamedChild(0)
		return n.NumNamed() == 1 && d.Is("subscript") && d.ChildByField("value").Text() == name
	}
	f := n.ChildByField("function")
	if f.Kind() != "attribute" || f.ChildByField("object").Text() != name {
		return false
	}
	switch f.ChildByField("attribute").Text() {
	case "remove", "discard":
		return n.ChildByField("arguments").NumNamed() == 1
	case "pop":
		return n.ChildByField("arguments").NumNamed() > 0
	case "popitem", "clear":
		return mapping
	}
	return false
}

// leaves tells whether the loop ends right after the change, so that nothing is iterated any more.
func leaves(n, loop rule.Node) bool {
	for ; n.Valid() && n != loop; n = n.Parent() {
		if k := n.Kind(); k == "for_statement" || k == "while_statement" {
			continue
		}
		for s := n.NextSibling(); s.Valid(); s = s.NextSibling() {
			if s.Is("break_statement", "return_statement", "raise_statement") {
				return true
			}
		}
	}
	return false
}

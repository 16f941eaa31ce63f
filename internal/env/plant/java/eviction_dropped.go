package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var evicts = regexp.MustCompile(`^(remove|poll|clear|pop|evict|drop)`)

// EvictionDropped lets a collection grow without end that used to make room: the process runs out of memory after a
// while, the sooner the more others put in.
func (operators) EvictionDropped(f file) []plant.Site {
	var found []plant.Site
	for n := range f.root.Find("if_statement", "method_declaration") {
		if n.Kind() == "method_declaration" {
			r := only(n.ChildByField("body"))
			if n.ChildByField("name").Text() == "removeEldestEntry" && r.Kind() == "return_statement" && operator(r.NamedChild(0)) != "" {
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(r, "return false;")},
					Description: fmt.Sprintf("a map of %s never drops its eldest entry any more and grows with every new key", className(n))})
			}
			continue
		}
		c := bare(n.ChildByField("condition"))
		holder := sized(left(c))
		act := only(n.ChildByField("consequence")).NamedChild(0)
		if operator(c) != ">" && operator(c) != ">=" || holder == "" || right(c).Text() == "0" || n.ChildByField("alternative").Valid() || !evicts.MatchString(called(act)) || root(act) != holder {
			continue
		}
		if e, ok := f.drop(n); ok {
			found = append(found, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf("%s adds to %s and never makes room: nothing bounds it by %s any more", methodName(n), holder, short(right(c).Text()))})
		}
	}
	return found
}

// root is the variable that a chain of calls starts from.
func root(n syntax.Node) string {
	for n.Kind() == "method_invocation" && receiver(n).Valid() {
		n = receiver(n)
	}
	return n.Text()
}

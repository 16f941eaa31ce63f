package java

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var evicts = regexp.MustCompile(`^(remove|poll|clear|pop|evict|drop)`)

// EvictionDropped lets a collection grow without end that used to make room: the process runs out of memory after a
// while, the sooner the more others put in.
func (*operators) EvictionDropped(f file) {
	for n := range f.Root.Find("if_statement", "method_declaration") {
		if n.Kind() == "method_declaration" {
			r := only(n.ChildByField("body"))
			if n.ChildByField("name").Text() == "removeEldestEntry" && r.Kind() == "return_statement" && operator(r.NamedChild(0)) != "" {
				f.Report(f.Replace(r, "return false;"), "a map of %s never drops its eldest entry any more and grows with every new key", className(n))
			}
			continue
		}
		c := bare(n.ChildByField("condition"))
		holder := sized(left(c))
		act := only(n.ChildByField("consequence")).NamedChild(0)
		if operator(c) != ">" && operator(c) != ">=" || holder == "" || right(c).Text() == "0" || n.ChildByField("alternative").Valid() ||
			!evicts.MatchString(called(act)) || root(act) != holder {
			continue
		}
		if e, ok := f.drop(n); ok {
			f.Report(e, "%s adds to %s and never makes room: nothing bounds it by %s any more", methodName(n), holder, short(right(c).Text()))
		}
	}
}

// root is the variable that a chain of calls starts from.
func root(n syntax.Node) string {
	for n.Kind() == "method_invocation" && receiver(n).Valid() {
		n = receiver(n)
	}
	return n.Text()
}

package java

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// IndexPastEnd runs a loop once more than there are elements: the last round throws IndexOutOfBoundsException.
func (*operators) IndexPastEnd(f file) {
	for loop := range f.Root.Find("for_statement") {
		c := loop.ChildByField("condition")
		if operator(c) != "<" || left(c).Kind() != "identifier" {
			continue
		}
		holder := sized(right(c))
		if holder == "" || !element(loop.ChildByField("body"), holder, left(c).Text()) {
			continue
		}
		sign := c.ChildByField("operator")
		f.Report(f.Replace(c, f.Text[c.Start():sign.Start()]+"<="+f.Text[sign.End():c.End()]),
			"the loop of %s lets %s reach %s, one past the last element of %s, and throws there", methodName(loop), left(c).Text(),
			short(right(c).Text()), holder)
	}
}

// sized is what an expression gives the number of elements of.
func sized(n syntax.Node) string {
	switch {
	case called(n) == "size" || called(n) == "length":
		return receiver(n).Text()
	case n.Kind() == "field_access" && n.ChildByField("field").Text() == "length":
		return n.ChildByField("object").Text()
	}
	return ""
}

// element says whether some code takes the element at an index.
func element(body syntax.Node, holder, index string) bool {
	for n := range body.Find("method_invocation", "array_access") {
		if n.Kind() == "array_access" && n.ChildByField("array").Text() == holder && n.ChildByField("index").Text() == index {
			return true
		}
		if name := called(n); (name == "get" || name == "charAt") && receiver(n).Text() == holder &&
			strings.Trim(n.ChildByField("arguments").Text(), "( )") == index {
			return true
		}
	}
	return false
}

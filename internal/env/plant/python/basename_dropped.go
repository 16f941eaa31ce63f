package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// BasenameDropped keeps the folders in a name that was to be a bare one.
func (*operators) BasenameDropped(s *source) {
	for c, a := range s.calls() {
		bare := syntax.Node{}
		switch name := callee(c); {
		case (name == "os.path.basename" || name == "basename" || name == "ntpath.basename" || name == "posixpath.basename") && len(a) == 1:
			bare = c
		case slices.Contains([]string{"Path", "PurePath", "PurePosixPath"}, name) && len(a) == 1 && c.Parent().Kind() == "attribute" &&
			c.Parent().ChildByField("attribute").Text() == "name":
			bare = c.Parent()
		}
		fn := c.Enclosing("function_definition")
		if !bare.Valid() || !fn.Valid() || !joins(fn, bare) || a[0].Text() == "__file__" || !simple(a[0]) {
			continue
		}
		s.Report(s.Replace(bare, a[0].Text()),
			"%s builds a path out of `%s` with its folders left in: a name with .. or a leading slash reaches other folders.", where(c), short(a[0]))
	}
}

// joins tells whether a function builds a path out of a value.
func joins(fn, value syntax.Node) bool {
	up := value.Parent()
	for up.Kind() == "call" || up.Kind() == "argument_list" || up.Kind() == "binary_operator" || up.Kind() == "parenthesized_expression" ||
		up.Kind() == "attribute" {
		if up.Kind() == "call" && method(up) == "join" || up.Kind() == "binary_operator" && up.Operator() == "/" {
			return true
		}
		up = up.Parent()
	}
	if up.Kind() != "assignment" || up.ChildByField("left").Kind() != "identifier" {
		return false
	}
	name := up.ChildByField("left").Text()
	for n := range fn.Find("call", "binary_operator") {
		switch {
		case n.Start() < up.End():
		case n.Kind() == "call" && method(n) == "join":
			for _, a := range args(n)[min(1, len(args(n))):] {
				for id := range n.Find("identifier") {
					if id.Text() == name && id.Start() >= a.Start() && id.End() <= a.End() {
						return true
					}
				}
			}
		case n.Kind() == "binary_operator" && n.Operator() == "/" && n.ChildByField("right").Text() == name:
			return true
		}
	}
	return false
}

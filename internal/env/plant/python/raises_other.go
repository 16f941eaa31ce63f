package python

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// RaisesOther raises another error than the one that callers in other files catch.
func (*operators) RaisesOther(s *source) {
	ix := indexOf(s.Project)
	for _, fn := range s.nodes("function_definition") {
		callers := s.callers(fn)
		if len(callers) == 0 {
			continue
		}
		for r := range fn.Find("raise_statement") {
			made := r.NamedChild(0)
			name := made.ChildByField("function")
			if made.Kind() != "call" || name.Kind() != "identifier" || r.Enclosing("function_definition") != fn {
				continue
			}
			at := slices.IndexFunc(callers, func(c call) bool { return catches(ix, c, ix.class(s.Path, name.Text())) })
			if at < 0 {
				continue
			}
			s.Report(s.Replace(name, "RuntimeError"),
				"%s raises RuntimeError where %s catches %s: the error is no longer handled there and goes through.", qualified(fn), callers[at],
				name.Text())
		}
	}
}

// catches tells whether a call stands in a try that catches one class and nothing wider.
func catches(ix *index, c call, class place) bool {
	try := c.node.Enclosing("try_statement")
	if class.name == "" || !try.Valid() || c.node.End() > try.ChildByField("body").End() ||
		try.Enclosing("function_definition") != c.node.Enclosing("function_definition") {
		return false
	}
	found := false
	for clause := range try.NamedChildren() {
		if clause.Kind() != "except_clause" {
			continue
		}
		caught := clause.NamedChild(0)
		if caught.Kind() == "as_pattern" {
			caught = caught.NamedChild(0)
		}
		if caught.Kind() != "identifier" && caught.Kind() != "tuple" {
			return false
		}
		for _, name := range names(caught) {
			if slices.Contains([]string{"Exception", "BaseException", "RuntimeError"}, name) {
				return false
			}
			found = found || ix.class(c.file, name) == class
		}
	}
	return found
}

// names gives the identifiers in a name or a tuple of names.
func names(n syntax.Node) []string {
	if n.Kind() == "identifier" {
		return []string{n.Text()}
	}
	var all []string
	for id := range n.Find("identifier") {
		all = append(all, id.Text())
	}
	return all
}

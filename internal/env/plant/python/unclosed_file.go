package python

import "github.com/deeprepo/deeprepo/internal/syntax"

// UnclosedFile opens a file without with.
func (*operators) UnclosedFile(s *source) {
	for _, o := range openedFiles(s) {
		s.reportMoved(o.node, o.stmts, o.indent+o.name+" = "+o.call.Text()+"\n", o.indent, "",
			"%s opens `%s` and never closes it: handles run out, and what was written may not reach the disk.", where(o.node), short(o.call))
	}
}

// openedFile is a with statement that opens one file under a name.
type openedFile struct {
	withStatement
	call syntax.Node
	name string
}

// openedFiles gives the files that functions open in a with statement of their own lines.
func openedFiles(s *source) []openedFile {
	var all []openedFile
	for _, w := range s.withs() {
		call, alias := w.item.NamedChild(0), w.item.ChildByField("alias")
		if w.item.Kind() == "as_pattern" && w.node.Enclosing("function_definition").Valid() && call.Kind() == "call" &&
			(method(call) == "open" || callee(call) == "os.fdopen") && alias.NumNamed() == 1 && alias.NamedChild(0).Kind() == "identifier" {
			all = append(all, openedFile{w, call, alias.Text()})
		}
	}
	return all
}

package python

import "github.com/deeprepo/deeprepo/internal/syntax"

// UnclosedFile opens a file without with.
func (*operators) UnclosedFile(s *source) {
	for _, o := range openedFiles(s) {
		text, ok := s.moved(o.stmts[0], o.last(), o.indent)
		text = o.indent + o.name + " = " + o.call.Text() + "\n" + text
		if !ok || lines(text) > 6 {
			continue
		}
		s.Report(s.Edit(s.LineStart(o.with.Start()), o.last().End(), text),
			"%s opens `%s` and never closes it: handles run out, and what was written may not reach the disk.", where(o.with), short(o.call))
	}
}

// openedFile is a with statement that opens one file under a name.
type openedFile struct {
	with, call syntax.Node
	name       string
	indent     string
	stmts      []syntax.Node
}

func (o openedFile) last() syntax.Node { return o.stmts[len(o.stmts)-1] }

// openedFiles gives the files that functions open in a with statement of their own lines.
func openedFiles(s *source) []openedFile {
	var all []openedFile
	for _, w := range s.nodes("with_statement") {
		item := onlyItem(w)
		if item.Kind() != "as_pattern" || !w.Enclosing("function_definition").Valid() {
			continue
		}
		call, alias := item.NamedChild(0), item.ChildByField("alias")
		if call.Kind() != "call" || method(call) != "open" && callee(call) != "os.fdopen" || alias.NumNamed() != 1 ||
			alias.NamedChild(0).Kind() != "identifier" {
			continue
		}
		indent, ok := s.indent(w)
		stmts := body(w).Statements()
		if !ok || len(stmts) == 0 || stmts[0].Line() == w.Line() {
			continue
		}
		all = append(all, openedFile{with: w, call: call, name: alias.Text(), indent: indent, stmts: stmts})
	}
	return all
}

package golang

import (
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// drop takes the statements from first to last out, with the comment that explains them, and writes the head of the
// statement that follows again: there the truth points. It fails where nothing follows.
func (s *source) drop(first, last syntax.Node) (plant.Edit, bool) {
	next := last.NextSibling()
	for next.Valid() && !next.Named() {
		next = next.NextSibling()
	}
	if !next.Valid() {
		return plant.Edit{}, false
	}
	end := next.End()
	if i := strings.IndexByte(s.Text[next.Start():end], '\n'); i >= 0 {
		end = next.Start() + i
	}
	e := s.Edit(s.explained(first), end, s.Text[next.Start():end])
	if next.Line() == last.EndLine() { // a comment behind the statement, or two statements in a line
		return plant.Edit{}, false
	}
	return e, true
}

// explained is where the comment lines directly above a statement begin, or the statement itself.
func (s *source) explained(n syntax.Node) int {
	start, line := n.Start(), n.Line()
	for c := above(n); c.Valid() && c.Kind() == "comment" && c.EndLine() == line-1; c = above(c) {
		if strings.TrimSpace(s.Text[s.LineStart(c.Start()):c.Start()]) != "" {
			break // it stands behind another statement
		}
		start, line = c.Start(), c.Line()
	}
	return start
}

// above is the named node before n in its block, comments included: those at the head of a block stand outside the list
// of its statements.
func above(n syntax.Node) syntax.Node {
	c := n.PrevSibling()
	if !c.Valid() && n.Parent().Kind() == "statement_list" {
		c = n.Parent().PrevSibling()
	}
	for c.Valid() && !c.Named() {
		c = c.PrevSibling()
	}
	return c
}

// indent is the white space that the line of n begins with.
func (s *source) indent(n syntax.Node) string { return s.Indent(n.Start()) }

// spec is the import of a path, the zero node where the file has none.
func (s *source) spec(importPath string) syntax.Node {
	return syntax.First(slices.Values(s.kinds["import_spec"]), func(spec syntax.Node) bool {
		return strings.Trim(spec.ChildByField("path").Text(), "\"`") == importPath
	})
}

// local is the name that an import path has in the file, "" when it is not imported.
func (s *source) local(importPath string) string {
	spec := s.spec(importPath)
	if name := spec.ChildByField("name").Text(); name != "" || !spec.Valid() {
		return name
	}
	return gotree.PackageName(importPath)
}

// unimport takes out the imports that nothing uses once the edits are made.
func (s *source) unimport(importPath string, edits ...plant.Edit) []plant.Edit {
	name := s.local(importPath)
	if name == "" {
		return nil
	}
	for _, e := range edits {
		if e.File == s.Path && gotree.HasName(e.Text, name) {
			return nil
		}
	}
	for _, kind := range []string{"identifier", "package_identifier"} {
	names:
		for _, n := range s.kinds[kind] {
			if n.Text() != name || n.Parent().Kind() == "import_spec" || n.Parent().Kind() == "package_clause" {
				continue
			}
			if kind == "identifier" && n.Parent().Kind() != "selector_expression" {
				continue
			}
			for _, e := range edits {
				if e.File == s.Path && e.Start <= n.Start() && n.End() <= e.End {
					continue names
				}
			}
			return nil
		}
	}
	n := s.spec(importPath)
	if n.Parent().Kind() == "import_declaration" {
		n = n.Parent()
	}
	from := s.LineStart(n.Start())
	to := n.End()
	if i := strings.IndexByte(s.Text[to:], '\n'); i >= 0 && strings.TrimSpace(s.Text[to:to+i]) == "" &&
		strings.TrimSpace(s.Text[from:n.Start()]) == "" {
		return []plant.Edit{s.Edit(from, to+i+1, "")}
	}
	if rest := strings.TrimLeft(s.Text[to:], " "); strings.HasPrefix(rest, ";") {
		to = len(s.Text) - len(strings.TrimLeft(rest[1:], " "))
	}
	return []plant.Edit{s.Edit(n.Start(), to, "")}
}

// reportTidy reports an edit with what it asks of the file's imports, where tidy can do that.
func (s *source) reportTidy(e plant.Edit, format string, args ...any) {
	if edits, ok := s.tidy(e); ok {
		s.ReportAll(edits, format, args...)
	}
}

// reportWhole reports an edit that leaves no local name without a use.
func (s *source) reportWhole(e plant.Edit, format string, args ...any) {
	if len(s.orphaned(e)) == 0 {
		s.Report(e, format, args...)
	}
}

// tidy adds to a change what it asks of the file's imports: those that nothing uses any more leave. It fails when a
// local name would be left without a use.
func (s *source) tidy(e plant.Edit, more ...plant.Edit) ([]plant.Edit, bool) {
	blanks, ok := s.blanked(s.orphaned(e))
	if !ok {
		return nil, false
	}
	edits := e.And(more...)
	for _, local := range slices.Sorted(maps.Keys(s.imports)) {
		if strings.Contains(s.Text[e.Start:e.End], local+".") {
			edits = append(edits, s.unimport(s.imports[local], edits[:1+len(more)]...)...)
		}
	}
	return append(edits, blanks...), true
}

// orphaned lists the declarations of names that are declared outside of the edit, in the function around it, and used
// only inside.
func (s *source) orphaned(e plant.Edit) []syntax.Node {
	gone := map[string]bool{}
	var fn syntax.Node
	for _, n := range s.kinds["identifier"] {
		if e.Start <= n.Start() && n.End() <= e.End && !gotree.HasName(e.Text, n.Text()) {
			gone[n.Text()] = true
			fn = n.Enclosing("function_declaration", "method_declaration")
		}
	}
	if len(gone) == 0 || !fn.Valid() {
		return nil
	}
	var declared []syntax.Node
	for n := range fn.ChildByField("body").Find("identifier") {
		if !gone[n.Text()] || e.Start <= n.Start() && n.End() <= e.End {
			continue
		}
		list := n.Parent()
		switch {
		case list.Kind() == "var_spec" && n.Field() == "name",
			list.Kind() == "expression_list" && list.Field() == "left" && list.Parent().Kind() != "assignment_statement":
			declared = append(declared, n)
		case list.Kind() == "expression_list" && list.Field() == "left" && list.Parent().Operator() == "=":
		default:
			delete(gone, n.Text())
		}
	}
	return slices.DeleteFunc(declared, func(n syntax.Node) bool { return !gone[n.Text()] })
}

// blanked writes _ for names that nothing uses any more. It fails where such a declaration would declare nothing new.
func (s *source) blanked(orphans []syntax.Node) ([]plant.Edit, bool) {
	var edits []plant.Edit
	for _, n := range orphans {
		d := n.Parent().Parent()
		if d.Kind() != "short_var_declaration" {
			return nil, false
		}
		others := 0
		for _, other := range d.ChildByField("left").Elements() {
			if other.Text() != "_" && !slices.Contains(orphans, other) && !declaredAbove(d, other.Text()) {
				others++
			}
		}
		if others == 0 {
			return nil, false
		}
		edits = append(edits, s.Replace(n, "_"))
	}
	return edits, true
}

// imported gives the local name of an import path and the edit that brings it in where it is not there yet. It fails
// where the name is taken.
func (s *source) imported(importPath, name string) (string, []plant.Edit, bool) {
	if local := s.local(importPath); local != "" {
		return local, nil, local != "_" && local != "."
	}
	for _, kind := range []string{"identifier", "package_identifier"} {
		for _, n := range s.kinds[kind] {
			if n.Text() == name {
				return "", nil, false
			}
		}
	}
	spec := "\"" + importPath + "\""
	if name != gotree.PackageName(importPath) {
		spec = name + " " + spec
	}
	specs := s.kinds["import_spec"]
	if len(specs) == 0 {
		return "", nil, false
	}
	if specs[0].Parent().Kind() == "import_declaration" {
		at := specs[0].Parent().Start()
		return name, []plant.Edit{s.Edit(at, at, "import "+spec+"\n")}, true
	}
	for _, other := range specs {
		if other.Parent() != specs[0].Parent() {
			break
		}
		if p := strings.Trim(other.ChildByField("path").Text(), "\"`"); p > importPath || strings.Contains(p, ".") {
			return name, []plant.Edit{s.Edit(other.Start(), other.Start(), spec+"\n\t")}, true
		}
	}
	at := specs[0].End()
	for _, other := range specs {
		if other.Parent() == specs[0].Parent() {
			at = other.End()
		}
	}
	return name, []plant.Edit{s.Edit(at, at, "\n\t"+spec)}, true
}

// reimport replaces an import that nothing uses any more after the edits by another one, or adds that.
func (s *source) reimport(old, path string, edits ...plant.Edit) []plant.Edit {
	if len(s.unimport(old, edits...)) > 0 {
		return []plant.Edit{s.Replace(s.spec(old), "\""+path+"\"")}
	}
	_, added, _ := s.imported(path, gotree.PackageName(path))
	return added
}

// replaceImport lets an import that nothing uses any more after the edits make room for another one under a name of its
// own, or adds that beside it.
func (s *source) replaceImport(old, path, name string, edits ...plant.Edit) ([]plant.Edit, bool) {
	_, added, ok := s.imported(path, name)
	if !ok {
		return nil, false
	}
	removed := s.unimport(old, edits...)
	if len(removed) == 1 && len(added) == 1 && (added[0].Start < removed[0].Start || added[0].Start > removed[0].End) {
		return append(added, removed...), true // each where gofmt has it
	}
	if len(removed) > 0 {
		return []plant.Edit{s.Replace(s.spec(old), name+" \""+path+"\"")}, true
	}
	return added, true
}

package typescript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// lines is how many lines a text has.
func lines(text string) int { return strings.Count(strings.TrimSpace(text), "\n") + 1 }

// maxLines is the longest range of lines that a truth may have.
const maxLines = 6

// reportShort reports an edit that is short enough for a truth.
func (f file) reportShort(e plant.Edit, format string, args ...any) {
	if lines(e.Text) <= maxLines {
		f.Report(e, format, args...)
	}
}

// dropped deletes a statement. The edit keeps the neighbour that the deletion shows at, the one before where it is
// short enough, else the one after, so that the truth has lines. It fails when there is none of either.
func (f file) dropped(s syntax.Node) (plant.Edit, bool) {
	before, after := around(s)
	if before.Valid() && lines(before.Text()) <= maxLines {
		return f.Edit(before.Start(), s.End(), before.Text()), true
	}
	if after.Valid() && lines(after.Text()) <= maxLines {
		return f.Edit(s.Start(), after.End(), after.Text()), true
	}
	return plant.Edit{}, false
}

// unwrapped replaces a statement by the statements of a block within it, moved to the statement's own indentation.
// lead is what the truth begins with: a statement before it, or the statement itself when there is none. It fails where
// the first statements are too long for a truth.
func (f file) unwrapped(lead, outer, block syntax.Node) ([]plant.Edit, bool) {
	body := block.Statements()
	if len(body) == 0 || !multiline(block) {
		return nil, false
	}
	for t := range block.Find("template_string") {
		if multiline(t) { // its lines are text, and must not be moved
			return nil, false
		}
	}
	indent, inner := f.Indent(outer.Start()), f.Indent(body[0].Start())
	if !strings.HasPrefix(inner, indent) || len(inner) == len(indent) {
		return nil, false
	}
	head := ""
	if lead != outer {
		head = lead.Text() + f.newline() + indent
	}
	cut := len(inner) - len(indent)
	first := dedent(body[0].Text(), cut)
	text := head + first
	if lines(text) > maxLines {
		return nil, false
	}
	edits := []plant.Edit{f.Edit(lead.Start(), body[0].End(), text)}
	last := body[len(body)-1]
	for at := body[0].End(); at < last.End(); at++ {
		if f.Text[at] != '\n' {
			continue
		}
		if n := blanks(f.Text[at+1:], cut); n > 0 {
			edits = append(edits, f.Edit(at+1, at+1+n, ""))
		}
	}
	return append(edits, f.Edit(last.End(), outer.End(), "")), true
}

// newline is the line break of the file.
func (f file) newline() string {
	if strings.Contains(f.Text, "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// dedent takes up to n blanks off every line but the first.
func dedent(text string, n int) string {
	ls := strings.Split(text, "\n")
	for i := 1; i < len(ls); i++ {
		ls[i] = ls[i][blanks(ls[i], n):]
	}
	return strings.Join(ls, "\n")
}

// blanks counts the blanks a text begins with, up to n.
func blanks(text string, n int) int {
	i := 0
	for i < len(text) && i < n && (text[i] == ' ' || text[i] == '\t') {
		i++
	}
	return i
}

func multiline(n syntax.Node) bool { return n.EndLine() > n.Line() }

// semicolon is what the file ends its statements with.
func semicolon(s syntax.Node) string {
	if strings.HasSuffix(s.Text(), ";") {
		return ";"
	}
	return ""
}

// imported finds the import specifier or default import of a name, and the module it comes from.
func (f file) imported(name string) (specifier syntax.Node, module string) {
	for s := range f.Root.Find("import_statement") {
		for n := range s.Find("import_specifier") {
			local := n.ChildByField("alias")
			if !local.Valid() {
				local = n.ChildByField("name")
			}
			if local.Text() == name {
				module, _ = stringText(s.ChildByField("source"))
				return n, module
			}
		}
	}
	return syntax.Node{}, ""
}

// from says whether a name of the file is imported from a module of Node.js.
func (f file) from(name, module string) bool {
	_, m := f.imported(name)
	return strings.TrimPrefix(m, "node:") == module
}

// reimport changes the named imports of the file: old is no longer used at the places that the plant writes, fresh is
// wanted there, either may be "". It fails where fresh would need an import statement of its own.
func (f file) reimport(old string, uses int, fresh string) ([]plant.Edit, bool) {
	n, _ := f.imported(old)
	if !n.Valid() {
		return nil, fresh == ""
	}
	have, _ := f.imported(fresh)
	gone := count(f.Root, old) == uses+1
	switch {
	case fresh != "" && !have.Valid() && gone:
		return []plant.Edit{f.Replace(n, fresh)}, true
	case fresh != "" && !have.Valid():
		return []plant.Edit{f.Edit(n.End(), n.End(), ", "+fresh)}, true
	case gone:
		return f.unimport(n), true
	}
	return nil, true
}

// reportGone reports an edit that takes a call of name away. Where it was called on nothing, and nothing else uses the
// name, its import leaves as well.
func (f file) reportGone(object syntax.Node, name string, e plant.Edit, format string, args ...any) {
	var more []plant.Edit
	if !object.Valid() {
		more, _ = f.reimport(name, 1, "")
	}
	f.ReportAll(e.And(more...), format, args...)
}

// unimport takes a specifier out of its import statement, and the statement away when nothing is left of it.
func (f file) unimport(n syntax.Node) []plant.Edit {
	list := n.Parent()
	if list.NumNamed() == 1 {
		s := n.Enclosing("import_statement")
		if s.ChildByField("source").Valid() && strings.Contains(f.Text[s.Start():list.End()], ",") && !strings.Contains(list.Text(), ",") {
			return nil // a default import beside it: leave it
		}
		return []plant.Edit{f.Edit(s.Start(), f.NextLine(s.End()), "")}
	}
	start, end := n.Start(), n.End()
	if next := n.NextSibling(); next.Text() == "," && next.NextSibling().Named() {
		end = next.NextSibling().Start()
	} else if prev := n.PrevSibling(); prev.Text() == "," {
		start = prev.Start()
	}
	return []plant.Edit{f.Edit(start, end, "")}
}

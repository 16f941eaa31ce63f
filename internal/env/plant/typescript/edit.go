package typescript

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// replace is an edit of one node.
func replace(path string, n syntax.Node, text string) plant.Edit {
	return plant.Edit{File: path, Start: n.Start(), End: n.End(), Text: text}
}

// source is the text from one node's start to another one's end.
func source(from, to syntax.Node) string {
	return string(from.Tree().Source()[from.Start():to.End()])
}

// lines is how many lines a text has.
func lines(text string) int { return strings.Count(strings.TrimSpace(text), "\n") + 1 }

// maxLines is the longest range of lines that a truth may have.
const maxLines = 6

// dropped deletes a statement. The edit keeps the neighbour that the deletion shows at, the one before where it is
// short enough, else the one after, so that the truth has lines. It fails when there is none of either.
func dropped(path string, s syntax.Node) (plant.Edit, bool) {
	before, after := around(s)
	if before.Valid() && lines(before.Text()) <= maxLines {
		return plant.Edit{File: path, Start: before.Start(), End: s.End(), Text: before.Text()}, true
	}
	if after.Valid() && lines(after.Text()) <= maxLines {
		return plant.Edit{File: path, Start: s.Start(), End: after.End(), Text: after.Text()}, true
	}
	return plant.Edit{}, false
}

// indentation is the blanks that the line of an offset begins with.
func indentation(src []byte, at int) string {
	start := lineStart(src, at)
	end := start
	for end < len(src) && (src[end] == ' ' || src[end] == '\t') {
		end++
	}
	return string(src[start:end])
}

func lineStart(src []byte, at int) int {
	for at > 0 && src[at-1] != '\n' {
		at--
	}
	return at
}

// unwrapped replaces a statement by the statements of a block within it, moved to the statement's own indentation.
// lead is what the truth begins with: a statement before it, or the statement itself when there is none. It fails where
// the first statements are too long for a truth.
func unwrapped(path string, lead, outer, block syntax.Node) ([]plant.Edit, bool) {
	body := statements(block)
	src := outer.Tree().Source()
	if len(body) == 0 || !multiline(block) {
		return nil, false
	}
	for range block.Find("template_string") {
		for t := range block.Find("template_string") {
			if multiline(t) { // its lines are text, and must not be moved
				return nil, false
			}
		}
		break
	}
	indent, inner := indentation(src, outer.Start()), indentation(src, body[0].Start())
	if !strings.HasPrefix(inner, indent) || len(inner) == len(indent) {
		return nil, false
	}
	head := ""
	if lead != outer {
		head = source(lead, lead) + newline(src) + indent
	}
	cut := len(inner) - len(indent)
	first := dedent(body[0].Text(), cut)
	text := head + first
	if lines(text) > maxLines {
		return nil, false
	}
	edits := []plant.Edit{{File: path, Start: lead.Start(), End: body[0].End(), Text: text}}
	last := body[len(body)-1]
	for at := body[0].End(); at < last.End(); at++ {
		if src[at] != '\n' {
			continue
		}
		if n := blanks(src[at+1:], cut); n > 0 {
			edits = append(edits, plant.Edit{File: path, Start: at + 1, End: at + 1 + n})
		}
	}
	return append(edits, plant.Edit{File: path, Start: last.End(), End: outer.End()}), true
}

func newline(src []byte) string {
	if strings.Contains(string(src), "\r\n") {
		return "\r\n"
	}
	return "\n"
}

// dedent takes up to n blanks off every line but the first.
func dedent(text string, n int) string {
	ls := strings.Split(text, "\n")
	for i := 1; i < len(ls); i++ {
		ls[i] = ls[i][blanks([]byte(ls[i]), n):]
	}
	return strings.Join(ls, "\n")
}

// blanks counts the blanks a text begins with, up to n.
func blanks(text []byte, n int) int {
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
func imported(p *plant.Project, path, name string) (specifier syntax.Node, module string) {
	for s := range find(p, path, "import_statement") {
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
func from(p *plant.Project, path, name, module string) bool {
	_, m := imported(p, path, name)
	return strings.TrimPrefix(m, "node:") == module
}

// reimport changes the named imports of the file: old is no longer used at the places that the plant writes, fresh is
// wanted there, either may be "". It fails where fresh would need an import statement of its own.
func reimport(p *plant.Project, path, old string, uses int, fresh string) ([]plant.Edit, bool) {
	n, _ := imported(p, path, old)
	if !n.Valid() {
		return nil, fresh == ""
	}
	have, _ := imported(p, path, fresh)
	gone := count(p.Tree(path).Root(), old) == uses+1
	switch {
	case fresh != "" && !have.Valid() && gone:
		return []plant.Edit{replace(path, n, fresh)}, true
	case fresh != "" && !have.Valid():
		return []plant.Edit{{File: path, Start: n.End(), End: n.End(), Text: ", " + fresh}}, true
	case gone:
		return unimport(path, n), true
	}
	return nil, true
}

// unimport takes a specifier out of its import statement, and the statement away when nothing is left of it.
func unimport(path string, n syntax.Node) []plant.Edit {
	list := n.Parent()
	src := n.Tree().Source()
	if list.NumNamed() == 1 {
		s := n.Enclosing("import_statement")
		if s.ChildByField("source").Valid() && strings.Contains(source(s, list), ",") && !strings.Contains(list.Text(), ",") {
			return nil // a default import beside it: leave it
		}
		end := s.End()
		for end < len(src) && src[end] != '\n' {
			end++
		}
		return []plant.Edit{{File: path, Start: s.Start(), End: min(end+1, len(src))}}
	}
	start, end := n.Start(), n.End()
	if next := n.NextSibling(); next.Text() == "," && next.NextSibling().Named() {
		end = next.NextSibling().Start()
	} else if prev := n.PrevSibling(); prev.Text() == "," {
		start = prev.Start()
	}
	return []plant.Edit{{File: path, Start: start, End: end}}
}

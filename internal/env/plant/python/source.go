package python

import (
	"iter"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// source is one file with its tree.
type source struct{ *plant.File }

// nodes gives all nodes of some kinds, collected once a file.
func (s *source) nodes(kind string) []syntax.Node {
	return s.Project.Once("python/nodes/"+s.Path, func() any {
		all := map[string][]syntax.Node{}
		for n := range s.Root.Find(wanted...) {
			all[n.Kind()] = append(all[n.Kind()], n)
		}
		return all
	}).(map[string][]syntax.Node)[kind]
}

var wanted = []string{"call", "if_statement", "while_statement", "with_statement", "try_statement", "except_clause", "function_definition",
	"class_definition", "comparison_operator", "boolean_operator", "subscript", "return_statement", "expression_statement", "import_statement",
	"import_from_statement", "interpolation", "default_parameter", "typed_default_parameter", "assignment", "for_statement"}

// indent is the white space that a statement stands behind; ok is false when something else stands there too.
func (s *source) indent(n syntax.Node) (indent string, ok bool) {
	indent = s.Text[s.LineStart(n.Start()):n.Start()]
	return indent, strings.Trim(indent, " \t") == ""
}

// alone tells whether a statement has its lines for itself.
func (s *source) alone(n syntax.Node) bool {
	_, ok := s.indent(n)
	rest := strings.TrimSpace(s.Text[n.End():s.LineEnd(n.End())])
	return ok && (rest == "" || strings.HasPrefix(rest, "#"))
}

// moved is the text of statements from first to last as it stands at another indentation, first line indented too; ok is
// false where a text of several lines would change with it.
func (s *source) moved(first, last syntax.Node, indent string) (text string, ok bool) {
	old, ok := s.indent(first)
	if !ok {
		return "", false
	}
	for n := first; n.Valid(); n = n.NextSibling() {
		for str := range n.Find("string") {
			if strings.Contains(str.Text(), "\n") {
				return "", false
			}
		}
		if n == last {
			break
		}
	}
	lines := strings.Split(s.Text[s.LineStart(first.Start()):last.End()], "\n")
	for i, line := range lines {
		if strings.TrimSpace(line) == "" {
			continue
		}
		rest, had := strings.CutPrefix(line, old)
		if !had {
			return "", false
		}
		lines[i] = indent + rest
	}
	return strings.Join(lines, "\n"), true
}

// reportMoved reports that statements, moved to an indentation and put between a head and a tail, replace the lines from
// a node to the last of them.
func (s *source) reportMoved(from syntax.Node, stmts []syntax.Node, head, indent, tail, format string, args ...any) {
	last := stmts[len(stmts)-1]
	text, ok := s.moved(stmts[0], last, indent)
	if text = head + text + tail; ok && lines(text) <= 6 {
		s.Report(s.Edit(s.LineStart(from.Start()), last.End(), text), format, args...)
	}
}

// drop removes a statement, the comments right above it included. The edit holds the first line of a neighbour, which is
// where its absence is seen.
func (s *source) drop(stmt syntax.Node) (plant.Edit, bool) {
	if !s.alone(stmt) {
		return plant.Edit{}, false
	}
	first := stmt
	for c := stmt.PrevSibling(); c.Kind() == "comment" && s.alone(c) && c.EndLine() == first.Line()-1; c = c.PrevSibling() {
		first = c
	}
	next := stmt.NextSibling()
	for next.Kind() == "comment" {
		next = next.NextSibling()
	}
	if next.Valid() && next.Named() && s.alone(next) {
		start, end := next.Start(), s.LineEnd(next.Start())
		for c := next.PrevSibling(); c.Kind() == "comment" && s.alone(c) && next.Line()-c.Line() <= 3; c = c.PrevSibling() {
			start = c.Start() // what is said about the neighbour stays
		}
		return s.Edit(first.Start(), end, s.Text[start:end]), true
	}
	prev := first.PrevSibling()
	if !prev.Valid() || !prev.Named() || prev.Kind() == "comment" || !s.alone(prev) {
		return plant.Edit{}, false
	}
	start := max(prev.Start(), s.LineStart(prev.End()))
	line := strings.TrimLeft(s.Text[start:prev.End()], " \t")
	return s.Edit(prev.End()-len(line), stmt.End(), line), true
}

// one is the only statement of a block, the zero node when there are several.
func one(block syntax.Node) syntax.Node {
	if all := block.Statements(); len(all) == 1 {
		return all[0]
	}
	return syntax.Node{}
}

// body is the block of a clause: its "body" or "consequence", or the one block in it.
func body(n syntax.Node) syntax.Node {
	return syntax.First(n.NamedChildren(), func(c syntax.Node) bool { return c.Kind() == "block" })
}

// guard tells whether a statement is an if without else that does nothing but raise; it gives what is raised.
func guard(n syntax.Node) (raised syntax.Node, ok bool) {
	if n.Kind() != "if_statement" || n.ChildByField("alternative").Valid() {
		return syntax.Node{}, false
	}
	r := one(n.ChildByField("consequence"))
	return r, r.Kind() == "raise_statement" && r.NumNamed() > 0
}

// args gives the positional arguments of a call, keyword the value of a named one.
func args(call syntax.Node) []syntax.Node {
	var all []syntax.Node
	list := call.ChildByField("arguments")
	if list.Kind() != "argument_list" {
		return nil
	}
	for c := range list.NamedChildren() {
		if c.Kind() != "comment" && c.Kind() != "keyword_argument" {
			all = append(all, c)
		}
	}
	return all
}

func keyword(call syntax.Node, name string) syntax.Node {
	for c := range call.ChildByField("arguments").NamedChildren() {
		if c.Kind() == "keyword_argument" && c.ChildByField("name").Text() == name {
			return c.ChildByField("value")
		}
	}
	return syntax.Node{}
}

// calls gives the calls of the file with their positional arguments.
func (s *source) calls() iter.Seq2[syntax.Node, []syntax.Node] {
	return plant.Calls(slices.Values(s.nodes("call")), args, nil)
}

// callee is the text of what is called; method the last name of it.
func callee(call syntax.Node) string { return call.ChildByField("function").Text() }

func method(call syntax.Node) string {
	f := call.ChildByField("function")
	if f.Kind() == "attribute" {
		return f.ChildByField("attribute").Text()
	}
	return f.Text()
}

// object is what a method is called on.
func object(call syntax.Node) syntax.Node {
	return call.ChildByField("function").ChildByField("object")
}

// where names the function around a node: "Store.get", "load" or "the module".
func where(n syntax.Node) string {
	fn := n.Enclosing("function_definition")
	if !fn.Valid() {
		return "the module"
	}
	return qualified(fn)
}

func qualified(fn syntax.Node) string {
	name := fn.ChildByField("name").Text()
	if c := classOf(fn); c.Valid() {
		return c.ChildByField("name").Text() + "." + name
	}
	return name
}

// classOf is the class that a function is a method of.
func classOf(fn syntax.Node) syntax.Node {
	up := fn.Parent()
	if up.Kind() == "decorated_definition" {
		up = up.Parent()
	}
	if up.Kind() == "block" && up.Parent().Kind() == "class_definition" {
		return up.Parent()
	}
	return syntax.Node{}
}

// simple tells whether an expression can be an operand anywhere.
func simple(n syntax.Node) bool {
	return slices.Contains([]string{"identifier", "attribute", "call", "subscript", "string", "integer", "float", "parenthesized_expression",
		"true", "false", "none"}, n.Kind())
}

// imports gives the plain import statement of a module, the zero node where there is none.
func (s *source) imports(module string) syntax.Node {
	for _, n := range s.nodes("import_statement") {
		if n.Text() == "import "+module && n.Parent() == s.Root {
			return n
		}
	}
	return syntax.Node{}
}

// importing is the edit that makes a module known beside another one that is imported; none is needed when it is known.
func (s *source) importing(module, beside string) []plant.Edit {
	if s.imports(module).Valid() {
		return nil
	}
	n := s.imports(beside)
	if !n.Valid() {
		return nil
	}
	first, second := module, beside
	if second < first {
		first, second = second, first
	}
	return []plant.Edit{s.Replace(n, "import "+first+"\nimport "+second)}
}

// canImport tells whether importing would make a module known.
func (s *source) canImport(module, beside string) bool {
	return s.imports(module).Valid() || s.imports(beside).Valid()
}

// short is the text of an expression on one line, cut where it is long.
func short(n syntax.Node) string { return plant.Cut(termtext.OneLine(n.Text()), 48, "…") }

// lines counts the lines of a text.
func lines(text string) int { return 1 + strings.Count(strings.TrimSpace(text), "\n") }

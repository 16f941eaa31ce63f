// Package java holds the operators that plant defects and decoys into Java programs, one file each.
//
// An operator looks for nodes by kind and shape, so it works on anybody's code. Java is not run here: at each operator a
// comment argues why what it writes changes behaviour or security, and its samples hold the exact text before and after.
//
// Invariant: no operator touches tests, and none applies where the defect that it writes stands already.
//
// It resolves no types and no overloads: operators across files ask an index of calls (index.go), which goes by the names of methods
// and is therefore used only for names that the program declares once.
package java

import (
	"embed"
	"iter"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

//go:embed *.txtar
var files embed.FS

// operators has a method an operator, each in a file of its own.
type operators struct{}

// Operators lists all operators.
func Operators() []plant.Operator {
	return plant.Load("java", files, &operators{}, func(find func(file), f *plant.File) {
		find(file{f})
		for i, s := range f.Sites {
			f.Sites[i] = plant.Site{Edits: file{f}.withoutOrphans(s.Edits), Description: plant.Cut(s.Description, 200, "...")}
		}
	})
}

// file is one file that sites are sought in.
type file struct{ *plant.File }

// deleteLines removes the whole lines that a node stands on alone; ok says whether it stands alone.
func (f file) deleteLines(n syntax.Node) (e plant.Edit, ok bool) {
	start, end := f.LineStart(n.Start()), f.NextLine(n.End())
	if strings.TrimSpace(f.Text[start:n.Start()]) != "" || strings.TrimSpace(f.Text[n.End():end]) != "" {
		return plant.Edit{}, false
	}
	return f.Edit(start, end, ""), true
}

// importing is the edit that brings a class into the file; none when it is there already. ok is false when the file has
// no import to stand behind.
func (f file) importing(class string) (edits []plant.Edit, ok bool) {
	pkg := class[:strings.LastIndexByte(class, '.')]
	first, last := syntax.Node{}, syntax.Node{}
	for c := range f.Root.NamedChildren() {
		name := imported(c)
		if name == "" {
			continue
		}
		if name == class || name == pkg+".*" {
			return nil, true
		}
		if java := strings.HasPrefix(name, "java."); !java && !strings.HasPrefix(name, "javax.") {
			if !first.Valid() && !last.Valid() {
				first = c
			}
			continue
		} else if first.Valid() && imported(first)[:4] != "java" || !first.Valid() {
			first = c // the imports of the language are a block of their own
		}
		if name < class {
			last = c
		}
	}
	if !last.Valid() && !first.Valid() {
		return nil, false
	}
	if !last.Valid() {
		return []plant.Edit{f.Edit(first.Start(), first.Start(), "import "+class+";\n")}, true
	}
	return []plant.Edit{f.Edit(last.End(), last.End(), "\nimport "+class+";")}, true
}

// method is the method or constructor around a node.
func method(n syntax.Node) syntax.Node {
	return n.Enclosing("method_declaration", "constructor_declaration", "compact_constructor_declaration", "lambda_expression",
		"static_initializer")
}

// methodName is the name of the method around a node, "the constructor" or "the class" where there is none.
func methodName(n syntax.Node) string {
	m := n.Enclosing("method_declaration", "constructor_declaration", "compact_constructor_declaration")
	if m.Valid() {
		return m.ChildByField("name").Text()
	}
	return className(n)
}

// className is the name of the class, record or enum around a node.
func className(n syntax.Node) string {
	return class(n).ChildByField("name").Text()
}

// qualified names a method with its class.
func qualified(m syntax.Node) string { return className(m) + "." + m.ChildByField("name").Text() }

func class(n syntax.Node) syntax.Node {
	return n.Enclosing("class_declaration", "record_declaration", "enum_declaration", "interface_declaration")
}

// called is the name of the method that a call calls, "" for other nodes.
func called(n syntax.Node) string {
	if n.Kind() != "method_invocation" {
		return ""
	}
	return n.ChildByField("name").Text()
}

// receiver is what a method is called on.
func receiver(call syntax.Node) syntax.Node { return call.ChildByField("object") }

// args are the arguments of a call or of a creation.
func args(call syntax.Node) []syntax.Node {
	return call.ChildByField("arguments").Elements()
}

// calls gives the calls of methods with one of the names, of all when there is none, and their arguments.
func (f file) calls(names ...string) iter.Seq2[syntax.Node, []syntax.Node] {
	return plant.Calls(f.Root.Find("method_invocation"), args, func(call syntax.Node) bool {
		return len(names) == 0 || slices.Contains(names, called(call))
	})
}

// bare strips parentheses.
func bare(n syntax.Node) syntax.Node {
	for n.Kind() == "parenthesized_expression" && n.NumNamed() == 1 {
		n = n.NamedChild(0)
	}
	return n
}

// operator is the operator of a binary expression.
func operator(n syntax.Node) string {
	if n.Kind() != "binary_expression" {
		return ""
	}
	return n.Operator()
}

func left(n syntax.Node) syntax.Node  { return n.ChildByField("left") }
func right(n syntax.Node) syntax.Node { return n.ChildByField("right") }

// only is the statement of a block that holds just one, or the statement itself.
func only(n syntax.Node) syntax.Node {
	if n.Kind() != "block" {
		return n
	}
	if all := n.Elements(); len(all) == 1 {
		return all[0]
	}
	return syntax.Node{}
}

// typeOf is the declared type of a name at a node: a local, a parameter, or a field of the class around it; "" where
// that is unknown.
func typeOf(n syntax.Node, name string) string {
	if !strings.HasPrefix(name, "this.") {
		for m := method(n); m.Valid(); m = method(m) {
			for d := range m.Find("formal_parameter", "local_variable_declaration", "resource", "enhanced_for_statement") {
				if d.ChildByField("name").Text() == name || declares(d, name) {
					return d.ChildByField("type").Text()
				}
			}
		}
	}
	return field(class(n), strings.TrimPrefix(name, "this.")).ChildByField("type").Text()
}

func declares(d syntax.Node, name string) bool {
	return syntax.Any(d.NamedChildren(), func(c syntax.Node) bool {
		return c.Kind() == "variable_declarator" && c.ChildByField("name").Text() == name
	})
}

// field is the declaration of a class's field, or of a record's component.
func field(class syntax.Node, name string) syntax.Node {
	for d := range class.ChildByField("parameters").NamedChildren() {
		if d.ChildByField("name").Text() == name {
			return d
		}
	}
	return syntax.First(class.ChildByField("body").NamedChildren(), func(d syntax.Node) bool {
		return d.Kind() == "field_declaration" && declares(d, name)
	})
}

// modifier says whether a declaration carries a keyword or an annotation.
func modifier(d syntax.Node, word string) bool {
	m := d.NamedChild(0)
	return m.Kind() == "modifiers" && slices.Contains(strings.Fields(m.Text()), word)
}

// short cuts a text for descriptions.
func short(text string) string { return plant.Cut(termtext.OneLine(text), 40, "...") }

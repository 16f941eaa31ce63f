package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// outline is what a file defines and what it builds on, in source order.
type outline struct {
	classes   []string
	functions []string
	imports   []string
}

// outlineOf reads an outline off a tree. Functions inside functions are left out; methods are called by their own name.
func outlineOf(language string, tree *syntax.Tree) outline {
	var o outline
	k := outlineKinds(language)
	tree.Root().Walk(func(n syntax.Node) bool {
		if !n.Named() {
			return false
		}
		kind := n.Kind()
		switch {
		case slices.Contains(k.imports, kind):
			for _, s := range importsOf(language, n) {
				o.imports = addName(o.imports, s)
			}
			return false
		case slices.Contains(k.classes, kind):
			if name := n.ChildByField("name"); name.Valid() && (language != "c" || n.ChildByField("body").Valid()) {
				o.classes = addName(o.classes, name.Text())
			}
		case slices.Contains(k.functions, kind):
			o.functions = addName(o.functions, functionName(n))
			return false
		case language == "ruby" && kind == "call":
			if m := n.ChildByField("method").Text(); m == "require" || m == "require_relative" {
				o.imports = addName(o.imports, strings.Trim(strings.TrimSpace(n.ChildByField("arguments").Text()), `()"' `))
			}
		case kind == "lexical_declaration" || kind == "variable_declaration":
			for c := range n.NamedChildren() { // const f = () => ...; const x = require("x")
				switch v := c.ChildByField("value"); v.Kind() {
				case "arrow_function", "function_expression":
					o.functions = addName(o.functions, c.ChildByField("name").Text())
				case "call_expression":
					if v.ChildByField("function").Text() == "require" {
						o.imports = addName(o.imports, strings.Trim(v.ChildByField("arguments").Text(), "()\"'`"))
					}
				}
			}
			return false
		case strings.HasSuffix(kind, "expression") || strings.HasSuffix(kind, "expression_statement"):
			return language == "javascript" || language == "typescript" || language == "tsx" || language == "ruby"
		}
		return true
	})
	return o
}

type kinds struct{ classes, functions, imports []string }

func outlineKinds(language string) kinds {
	switch language {
	case "python":
		return kinds{[]string{"class_definition"}, []string{"function_definition"}, []string{"import_statement", "import_from_statement"}}
	case "javascript", "typescript", "tsx":
		return kinds{[]string{"class_declaration", "abstract_class_declaration", "interface_declaration"},
			[]string{"function_declaration", "method_definition", "generator_function_declaration"}, []string{"import_statement"}}
	case "go":
		return kinds{[]string{"type_spec"}, []string{"function_declaration", "method_declaration"}, []string{"import_spec"}}
	case "java":
		return kinds{[]string{"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"},
			[]string{"method_declaration", "constructor_declaration"}, []string{"import_declaration"}}
	case "php":
		return kinds{[]string{"class_declaration", "interface_declaration", "trait_declaration", "enum_declaration"},
			[]string{"function_definition", "method_declaration"}, []string{"namespace_use_clause"}}
	case "ruby":
		return kinds{[]string{"class", "module"}, []string{"method", "singleton_method"}, nil}
	case "c":
		return kinds{[]string{"struct_specifier", "union_specifier", "enum_specifier"}, []string{"function_definition"},
			[]string{"preproc_include"}}
	}
	return kinds{}
}

func functionName(n syntax.Node) string {
	if name := n.ChildByField("name"); name.Valid() {
		return name.Text()
	}
	d := n.ChildByField("declarator") // C nests declarators around the name
	for range 8 {
		inner := d.ChildByField("declarator")
		if !inner.Valid() {
			break
		}
		d = inner
	}
	return d.Text()
}

func importsOf(language string, n syntax.Node) []string {
	trim := func(s string) string { return strings.Trim(strings.TrimSpace(s), "\"'`<>;") }
	switch language {
	case "python":
		if m := n.ChildByField("module_name"); m.Valid() {
			return []string{m.Text()}
		}
		var all []string
		for c := range n.NamedChildren() {
			if name := c.ChildByField("name"); name.Valid() {
				c = name
			}
			all = append(all, c.Text())
		}
		return all
	case "javascript", "typescript", "tsx":
		return []string{trim(n.ChildByField("source").Text())}
	case "go", "c":
		return []string{trim(n.ChildByField("path").Text())}
	}
	for c := range n.NamedChildren() {
		return []string{trim(c.Text())}
	}
	return nil
}

// maxNames bounds what of a file is remembered, maxName how much of one name: text may be hostile.
const (
	maxNames = 500
	maxName  = 80
)

func addName(list []string, name string) []string {
	name = strings.Join(strings.Fields(name), " ")
	if name == "" || len(name) > maxName || len(list) >= maxNames || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}

// line says it in one line, at most limit names of a kind.
func (o outline) line(limit int) string {
	var parts []string
	for _, p := range []struct {
		what  string
		names []string
	}{{"classes", o.classes}, {"functions", o.functions}, {"imports", o.imports}} {
		if len(p.names) == 0 {
			continue
		}
		shown, more := p.names, ""
		if len(shown) > limit {
			shown, more = shown[:limit], fmt.Sprintf(" and %d more", len(p.names)-limit)
		}
		parts = append(parts, p.what+" "+strings.Join(shown, ", ")+more)
	}
	return strings.Join(parts, "; ")
}

package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// callsTo gives the calls and the object creations whose callee is one of the names.
func callsTo(p *rule.Pass, names ...string) []rule.Node {
	return rule.Where(slices.Concat(p.Calls(), p.News()), func(n rule.Node) bool { return slices.Contains(names, callee(p, n)) })
}

// callee is the dotted name of what a call calls or creates, without the package in front of the class.
func callee(p *rule.Pass, n rule.Node) string { return simple(p.Callee(n)) }

// simple cuts the package off a dotted name: java.nio.file.Paths.get becomes Paths.get.
func simple(name string) string {
	rest := name
	for {
		head, tail, ok := strings.Cut(rest, ".")
		switch {
		case head != "" && head[0] >= 'A' && head[0] <= 'Z':
			return rest
		case !ok || head != strings.ToLower(head):
			return name // a variable, not a package
		}
		rest = tail
	}
}

// typeOf is the declared type of a variable visible at n, "" when the file declares it nowhere or differently twice.
func typeOf(p *rule.Pass, n rule.Node, name string) string {
	name = strings.TrimPrefix(name, "this.")
	if function := outermost(p, n); function.Valid() {
		if t, ok := declaredIn(function, name); ok {
			return t
		}
	}
	for class := p.Class(n); class.Valid(); class = p.Class(class) {
		if d := field(class, name); d.Valid() {
			return d.ChildByField("type").Text()
		}
	}
	return ""
}

// isOf tells whether n is a variable of one of the types.
func isOf(p *rule.Pass, n rule.Node, types ...string) bool {
	return rule.OneOf(typeOf(p, n, n.Text()), types...)
}

// outermost is the method around n, lambdas looked through.
func outermost(p *rule.Pass, n rule.Node) rule.Node {
	return n.Enclosing("method_declaration", "constructor_declaration", "compact_constructor_declaration", "static_initializer")
}

func declaredIn(function rule.Node, name string) (string, bool) {
	found, ok := "", false
	note := func(t string) {
		if ok && t != found {
			t = ""
		}
		found, ok = t, true
	}
	for d := range function.Find("local_variable_declaration", "formal_parameter", "resource", "enhanced_for_statement",
		"catch_formal_parameter") {
		t := d.ChildByField("type").Text()
		if d.Kind() != "local_variable_declaration" {
			if d.ChildByField("name").Text() == name {
				note(t)
			}
			continue
		}
		if declarator(d, name).Valid() {
			note(t)
		}
	}
	return found, ok
}

// field is the declaration of a class's own field.
func field(class rule.Node, name string) rule.Node {
	return rule.First(class.ChildByField("body").NamedChildren(), func(d rule.Node) bool {
		return d.Is("field_declaration") && declarator(d, name).Valid()
	})
}

// declarator is the part of a declaration that declares name.
func declarator(d rule.Node, name string) rule.Node {
	return rule.First(d.NamedChildren(), func(c rule.Node) bool {
		return c.Is("variable_declarator") && c.ChildByField("name").Text() == name
	})
}

// value is what a variable was given if the method gives it a value exactly once, else n itself.
func value(p *rule.Pass, n rule.Node) rule.Node { return p.Only(outermost(p, n), n) }

// receiver is the object a method is called on, the zero Node when it is called without one.
func receiver(call rule.Node) rule.Node { return call.ChildByField("object") }

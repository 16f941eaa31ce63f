package java

import (
	"maps"
	"path"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// calls is the index of a whole program: who calls methods of which name, and how often each name is declared.
type calls struct {
	byName   map[string][]use
	declared map[string]int
}

// use is one call.
type use struct {
	path string
	call syntax.Node
}

// String names the caller for a description: "load in Store.java".
func (u use) String() string { return methodName(u.call) + " in " + path.Base(u.path) }

// index makes the index the first time it is asked for. Tests count as no callers.
func (f file) index() *calls {
	p := f.Project
	return p.Once("java/calls", func() any {
		c := &calls{byName: map[string][]use{}, declared: map[string]int{}}
		for f := range p.Sources("java") {
			for n := range f.Root.Find("method_invocation", "method_declaration") {
				name := n.ChildByField("name").Text()
				if n.Kind() == "method_declaration" {
					c.declared[name]++
				} else {
					c.byName[name] = append(c.byName[name], use{path: f.Path, call: n})
				}
			}
		}
		return c
	}).(*calls)
}

// callers finds the calls of a method of this file in other files: those of its name on a variable whose type, as
// declared there, is the method's class, or on the class itself.
func (f file) callers(m syntax.Node) []use {
	name, of := m.ChildByField("name").Text(), className(m)
	count := len(m.ChildByField("parameters").Elements())
	var found []use
	for _, u := range f.index().byName[name] {
		if u.path == f.Path || len(args(u.call)) != count {
			continue
		}
		on := receiver(u.call)
		if on.Text() == of || base(typeOf(u.call, on.Text())) == of {
			found = append(found, u)
		}
	}
	return found
}

// caller is the first of a method's callers whose call passes a test.
func (f file) caller(m syntax.Node, test func(call syntax.Node) bool) (use, bool) {
	for _, u := range f.callers(m) {
		if test(u.call) {
			return u, true
		}
	}
	return use{}, false
}

// variable is the name of the variable that a call's value is kept in, "" where it goes elsewhere.
func variable(call syntax.Node) string {
	if up := call.Parent(); up.Kind() == "variable_declarator" {
		return up.ChildByField("name").Text()
	}
	return ""
}

// target is the method that a call in this file calls, when the receiver's declared type is a class of another file with
// just one method of that name.
func (f file) target(call syntax.Node) (path string, m syntax.Node) {
	of := base(typeOf(call, receiver(call).Text()))
	if of == "" {
		return "", syntax.Node{}
	}
	d, ok := f.classes()[of]
	if !ok || d.path == f.Path {
		return "", syntax.Node{}
	}
	for c := range d.call.ChildByField("body").NamedChildren() {
		if c.Kind() == "method_declaration" && c.ChildByField("name").Text() == called(call) {
			if m.Valid() {
				return "", syntax.Node{}
			}
			m = c
		}
	}
	return d.path, m
}

// classes finds a program's classes by name; names that occur twice are left out.
func (f file) classes() map[string]use {
	p := f.Project
	return p.Once("java/classes", func() any {
		all, twice := map[string]use{}, map[string]bool{}
		for f := range p.Sources("java") {
			for c := range f.Root.NamedChildren() {
				name := c.ChildByField("name").Text()
				switch c.Kind() {
				case "class_declaration", "record_declaration", "enum_declaration", "interface_declaration":
					_, before := all[name]
					twice[name] = twice[name] || before
					all[name] = use{path: f.Path, call: c}
				}
			}
		}
		maps.DeleteFunc(all, func(name string, _ use) bool { return twice[name] })
		return all
	}).(map[string]use)
}

// base is a type without its package and its type arguments.
func base(t string) string {
	t, _, _ = strings.Cut(t, "<")
	return t[strings.LastIndexByte(t, '.')+1:]
}

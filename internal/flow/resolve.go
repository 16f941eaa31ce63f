package flow

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/graph"
)

func (v *value) closures() []*closure {
	if v == nil {
		return nil
	}
	return v.fns
}

// outermost reports a function that stands in no other, so that its summary says all of it.
func (c *closure) outermost() bool {
	return c.fn.Name != "" && (c.fn.Outer == nil || c.fn.Outer.Outer == nil)
}

// resolved answers a call by the summaries of what the code graph says is called.
func (f *frame) resolved(c *call, called *value) (v *value, ok bool) {
	targets := f.targets(c)
	if len(targets) == 0 {
		for _, one := range called.closures() {
			if one.outermost() && one.fn != f.fn {
				targets = append(targets, one.fn)
			}
		}
	}
	for _, fn := range targets {
		s := f.e.summarizeFor(fn, f.switches(c, fn))
		one := f.apply(c, fn, s)
		f.yielded(c, fn, s)
		if !ok {
			v = one
		} else {
			v = join(v, one)
		}
		ok = true
	}
	return v, ok
}

// maxTargets bounds the functions that one call may be of.
const maxTargets = 6

// targets are the functions that a call may enter.
func (f *frame) targets(c *call) []*ir.Func {
	callee := c.x.Args[0]
	name := callee.Text
	if callee.Op != ir.Name && callee.Op != ir.Member {
		return nil
	}
	lines := []int{callee.Node.Line()}
	if n := calleeName(c.x); n != lines[0] {
		lines = append(lines, n)
	}
	var list []*ir.Func
	add := func(s *graph.Symbol) {
		if fn := f.e.functions[s]; fn != nil && !slices.Contains(list, fn) && len(list) < maxTargets && fn != f.fn {
			list = append(list, fn)
		}
	}
	for _, line := range lines {
		all := f.e.calls[place{f.file.Path, line}]
		class := namedClass(callee, all)
		for _, s := range all {
			switch {
			case s.Kind == graph.KindClass || s.Kind == graph.KindType || s.Kind == graph.KindInterface:
				if s.Name == lastPart(name) {
					for _, m := range f.e.methodsIn(s, "__init__", "constructor", "__construct", "initialize", s.Name) {
						add(m)
					}
				}
			case s.Name == lastPart(name) && !f.stranger(s, callee) && (class == "" || lastPart(s.Parent) == class):
				add(s)
				for _, m := range f.e.overriding(s) {
					add(m)
				}
			}
		}
	}
	if len(list) == 0 && callee.Op == ir.Name && f.file.Language == "ruby" {
		for _, m := range f.e.methodsOf(f.file.Path, classAt{"ruby", f.fn.Class}, name, 0) {
			add(m)
		}
		for _, fn := range f.e.plain[memberKey{file: f.file.Path, name: name}] {
			if len(list) == 0 && fn != f.fn {
				list = append(list, fn)
			}
		}
	}
	if len(list) == 0 && c.x.Op == ir.New {
		of := classAt{f.file.Language, lastPart(c.full)}
		for _, made := range []string{"__construct", "initialize"} {
			for _, m := range f.e.methodsOf(f.file.Path, of, made, 0) {
				add(m)
			}
		}
	} else if len(list) == 0 && callee.Op == ir.Member && c.on != nil {
		for _, m := range f.e.methodsOf(f.file.Path, classAt{f.file.Language, lastPart(strings.TrimSuffix(c.on.full, "()"))}, callee.Text, 0) {
			add(m)
		}
	}
	if len(list) == 0 && callee.Op == ir.Member && f.e.abstract[lastPart(c.on.name())] {
		if all := f.e.methods[classAt{"go", callee.Text}]; len(all) <= maxSame {
			for _, m := range all {
				add(m)
			}
		}
	}
	if len(list) == 0 && callee.Op == ir.Member && scripts[f.file.Language] {
		if fn := f.onlyProperty(c); fn != nil && fn != f.fn {
			list = append(list, fn)
		}
	} else if len(list) == 0 && callee.Op == ir.Member && f.onlyMethod(c, callee) != nil {
		add(f.onlyMethod(c, callee))
	}
	return f.overloaded(list, c)
}

// namedClass is the class that is named before a call, where it has the method and others of the line have one of that name, too:
// Outer.filter(Inner.filter(x)); "" for any.
func namedClass(callee *ir.Expr, all []*graph.Symbol) string {
	if callee.Op != ir.Member || callee.Args[0].Op != ir.Name {
		return ""
	}
	class := callee.Args[0].Text
	if slices.ContainsFunc(all, func(o *graph.Symbol) bool { return o.Name == callee.Text && lastPart(o.Parent) == class }) {
		return class
	}
	return ""
}

// overloaded leaves of Java's methods those whose parameters have the types of what is given, where some have.
func (f *frame) overloaded(list []*ir.Func, c *call) []*ir.Func {
	if f.file.Language != "java" {
		return list
	}
	for i, a := range c.args {
		t := a.name()
		if t == "" || len(list) < 2 {
			continue
		}
		exact := slices.DeleteFunc(slices.Clone(list), func(fn *ir.Func) bool {
			return i >= len(fn.Params) || f.typeName(fn.Params[i].Type) != t
		})
		if len(exact) > 0 {
			list = exact
		}
	}
	return list
}

// stranger reports a method of a class that a file of PHP says nothing of: it only has the name of what is called.
func (f *frame) stranger(s *graph.Symbol, callee *ir.Expr) bool {
	if f.file.Language != "php" || s.Parent == "" || s.File == f.file.Path || callee.Op != ir.Member || f.isThis(callee.Args[0]) {
		return false
	}
	name := lastPart(s.Parent)
	return !f.e.says(f.file, name, func(text []byte) bool { return bytes.Contains(text, []byte(name)) })
}

// classAt is a class by its language and name.
type classAt struct{ language, name string }

// besideKey is a class in a folder.
type besideKey struct {
	dir   string
	class classAt
}

// methodsOf finds a method of the only class of a name, or of what it builds on.
func (e *engine) methodsOf(from string, class classAt, name string, depth int) []*graph.Symbol {
	all := e.classes[class]
	if len(all) > 1 { // the one beside the caller
		all = e.beside[besideKey{path.Dir(from), class}]
	}
	if len(all) != 1 || depth > maxNested {
		return nil
	}
	if found := e.methodsIn(all[0], name); len(found) > 0 {
		return found
	}
	if c := e.byPath[all[0].File].Classes[all[0].Name]; c != nil {
		for _, base := range c.Bases {
			if found := e.methodsOf(from, classAt{class.language, lastPart(base)}, name, depth+1); len(found) > 0 {
				return found
			}
		}
	}
	return nil
}

func lastPart(name string) string { return name[strings.LastIndexAny(name, `.\`)+1:] }

// calleeName is the line of the name that is called, where a chain of calls goes over many lines.
func calleeName(x *ir.Expr) int {
	n := x.Node
	for _, field := range []string{"function", "name", "method", "property", "attribute", "field"} {
		if c := n.ChildByField(field); c.Valid() {
			if field == "function" {
				for _, inner := range []string{"property", "attribute", "field", "name"} {
					if d := c.ChildByField(inner); d.Valid() {
						return d.Line()
					}
				}
			}
			return c.Line()
		}
	}
	return n.Line()
}

// methodsIn finds methods of a class by their names.
func (e *engine) methodsIn(class *graph.Symbol, names ...string) []*graph.Symbol {
	var list []*graph.Symbol
	for _, name := range names {
		list = append(list, e.members[memberKey{class.File, class.Qualified, name}]...)
	}
	return list
}

// memberKey is a name in a class.
type memberKey struct{ file, class, name string }

// overriding finds what stands in place of a method in classes that build on its own.
func (e *engine) overriding(s *graph.Symbol) []*graph.Symbol {
	if s.Parent == "" {
		return nil
	}
	var list []*graph.Symbol
	for _, sub := range e.over[classKey{s.File, s.Parent}] {
		list = append(list, e.methodsIn(sub, s.Name)...)
	}
	return list
}

// classKey is a class by its qualified name.
type classKey struct{ file, class string }

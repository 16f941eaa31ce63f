package python

import (
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// call is a call that is proved to reach a function of another file.
type call struct {
	file string // of the caller
	node syntax.Node
	to   *function
}

// String names the caller for a description: "Store.get in store.py".
func (c call) String() string { return where(c.node) + " in " + c.file }

// function is a function or method that a program defines.
type function struct {
	file   string
	name   string // "load" or "Store.get"
	node   syntax.Node
	params []string // without self and cls
}

// index holds the functions of a program and the calls between its files.
type index struct {
	functions map[string]*function // by "file\x00name"
	classes   map[string]bool      // by "file\x00name"
	calls     map[*function][]call
	from      map[string][]call // by the caller's file
	bound     map[string]map[string]place
}

// indexOf reads the whole program once. Tests count neither as callers nor as callees.
func indexOf(p *plant.Project) *index {
	return p.Once("python/index", func() any {
		ix := &index{functions: map[string]*function{}, classes: map[string]bool{}, calls: map[*function][]call{}, from: map[string][]call{},
			bound: map[string]map[string]place{}}
		var all []*source
		for f := range p.Sources("python") {
			all = append(all, &source{f})
		}
		for _, s := range all {
			ix.define(s)
		}
		for _, s := range all {
			ix.resolve(s)
		}
		return ix
	}).(*index)
}

func (ix *index) define(s *source) {
	for _, c := range s.nodes("class_definition") {
		if c.Parent() == s.Root || c.Parent().Kind() == "decorated_definition" {
			ix.classes[s.Path+"\x00"+c.ChildByField("name").Text()] = true
		}
	}
	for _, fn := range s.nodes("function_definition") {
		up := fn.Parent()
		if up.Kind() == "decorated_definition" {
			up = up.Parent()
		}
		if up != s.Root && !classOf(fn).Valid() {
			continue
		}
		f := &function{file: s.Path, name: qualified(fn), node: fn, params: parameters(fn)}
		ix.functions[s.Path+"\x00"+f.name] = f
	}
}

// callers gives the calls of a function of the file that stand in other files.
func (s *source) callers(fn syntax.Node) []call {
	ix := indexOf(s.Project)
	return ix.calls[ix.functions[s.Path+"\x00"+qualified(fn)]]
}

// parameters names what a function can be given by position, self and cls aside.
func parameters(fn syntax.Node) []string {
	var names []string
	for c := range fn.ChildByField("parameters").NamedChildren() {
		name := c
		switch c.Kind() {
		case "comment":
			continue
		case "identifier":
		case "default_parameter", "typed_default_parameter":
			name = c.ChildByField("name")
		case "typed_parameter":
			name = c.NamedChild(0)
		default: // *args, **kwargs, the bare * and /
			return names
		}
		if len(names) == 0 && (name.Text() == "self" || name.Text() == "cls") && classOf(fn).Valid() && !slices.Contains(names, name.Text()) {
			continue
		}
		names = append(names, name.Text())
	}
	return names
}

// place is something that a name of one file stands for: a module of the program, or a name in it.
type place struct{ file, name string }

// class is where the class that a name of a file stands for is defined; the zero place when it is none of the program's.
func (ix *index) class(file, name string) place {
	if ix.classes[file+"\x00"+name] {
		return place{file, name}
	}
	if at := ix.bound[file][name]; at.name != "" && ix.classes[at.file+"\x00"+at.name] {
		return at
	}
	return place{}
}

// resolve finds the calls of one file that reach functions of other files.
func (ix *index) resolve(s *source) {
	bound := map[string]place{}
	for _, n := range s.nodes("import_from_statement") {
		module := n.ChildByField("module_name")
		base := moduleFile(s, module.Text())
		for c := range n.NamedChildren() {
			if c == module || c.Kind() == "wildcard_import" {
				continue
			}
			name, alias := c.Text(), c.Text()
			if c.Kind() == "aliased_import" {
				name, alias = c.ChildByField("name").Text(), c.ChildByField("alias").Text()
			}
			if sub := moduleFile(s, strings.TrimSuffix(module.Text(), ".")+"."+name); sub != "" {
				bound[alias] = place{file: sub}
			} else if base != "" {
				bound[alias] = place{base, name}
			}
		}
	}
	for _, n := range s.nodes("import_statement") {
		for c := range n.NamedChildren() {
			name, alias := c.Text(), c.Text()
			if c.Kind() == "aliased_import" {
				name, alias = c.ChildByField("name").Text(), c.ChildByField("alias").Text()
			}
			if file := moduleFile(s, name); file != "" {
				bound[alias] = place{file: file}
			}
		}
	}
	if len(bound) == 0 {
		return
	}
	ix.bound[s.Path] = bound
	types := map[syntax.Node]map[string]string{} // by function: annotated names
	fields := map[syntax.Node]map[string]string{}
	for _, c := range s.nodes("call") {
		f := c.ChildByField("function")
		var target place
		switch {
		case f.Kind() == "identifier":
			target = bound[f.Text()]
		case f.Kind() == "attribute":
			obj, name := f.ChildByField("object"), f.ChildByField("attribute").Text()
			if module, ok := bound[obj.Text()]; ok && module.name == "" {
				target = place{module.file, name}
				break
			}
			class := typeOf(c, obj, types, fields)
			if at, ok := bound[class]; ok && at.name != "" && ix.classes[at.file+"\x00"+at.name] {
				target = place{at.file, at.name + "." + name}
			}
		}
		if target.file == "" || target.file == s.Path {
			continue
		}
		if to := ix.functions[target.file+"\x00"+target.name]; to != nil {
			found := call{file: s.Path, node: c, to: to}
			ix.calls[to] = append(ix.calls[to], found)
			ix.from[s.Path] = append(ix.from[s.Path], found)
		}
	}
}

// typeOf is the name of the class that an object is of, as annotations and constructors in the file say; "" if nothing
// does.
func typeOf(use, obj syntax.Node, types, fields map[syntax.Node]map[string]string) string {
	fn := use.Enclosing("function_definition")
	if !fn.Valid() {
		return ""
	}
	if obj.Kind() == "identifier" {
		return typesIn(fn, types)[obj.Text()]
	}
	if obj.Kind() != "attribute" || obj.ChildByField("object").Text() != "self" {
		return ""
	}
	class := fn.Enclosing("class_definition")
	if !class.Valid() {
		return ""
	}
	known, ok := fields[class]
	if !ok {
		known = map[string]string{}
		for m := range class.Find("function_definition") {
			if m.ChildByField("name").Text() != "__init__" {
				continue
			}
			local := typesIn(m, types)
			for a := range m.Find("assignment") {
				left, right := a.ChildByField("left"), a.ChildByField("right")
				if left.Kind() != "attribute" || left.ChildByField("object").Text() != "self" {
					continue
				}
				name := left.ChildByField("attribute").Text()
				switch {
				case right.Kind() == "identifier":
					known[name] = local[right.Text()]
				case right.Kind() == "call" && right.ChildByField("function").Kind() == "identifier":
					known[name] = callee(right)
				}
			}
		}
		fields[class] = known
	}
	return known[obj.ChildByField("attribute").Text()]
}

// typesIn gives the classes of a function's parameters and of names that are assigned a constructor once.
func typesIn(fn syntax.Node, types map[syntax.Node]map[string]string) map[string]string {
	if known, ok := types[fn]; ok {
		return known
	}
	known := map[string]string{}
	for c := range fn.ChildByField("parameters").NamedChildren() {
		switch c.Kind() {
		case "typed_parameter":
			known[c.NamedChild(0).Text()] = strings.Trim(c.ChildByField("type").Text(), `"'`)
		case "typed_default_parameter":
			known[c.ChildByField("name").Text()] = strings.Trim(c.ChildByField("type").Text(), `"'`)
		}
	}
	for a := range fn.Find("assignment") {
		left, right := a.ChildByField("left"), a.ChildByField("right")
		if left.Kind() != "identifier" {
			continue
		}
		if right.Kind() == "call" && right.ChildByField("function").Kind() == "identifier" && known[left.Text()] == "" {
			known[left.Text()] = callee(right)
		} else {
			delete(known, left.Text())
		}
	}
	types[fn] = known
	return known
}

// moduleFile is the file of the program that a module name, absolute or relative, stands for; "" if none does.
func moduleFile(s *source, module string) string {
	rest := strings.TrimLeft(module, ".")
	dots := len(module) - len(rest)
	inner := strings.ReplaceAll(rest, ".", "/")
	var bases []string
	if dots > 0 {
		dir := path.Dir(s.Path)
		for range dots - 1 {
			dir = path.Dir(dir)
		}
		bases = []string{dir}
	} else {
		bases = []string{"", "src"}
		if first, _, ok := strings.Cut(s.Path, "/"); ok && first != "src" {
			bases = append(bases, first)
		}
	}
	for _, base := range bases {
		for _, name := range []string{path.Join(base, inner) + ".py", path.Join(base, inner, "__init__.py")} {
			if s.Project.Text(name) != "" {
				return name
			}
		}
	}
	return ""
}

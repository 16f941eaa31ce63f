package typescript

import (
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// use is a call of something that another file declares.
type use struct {
	file string
	call syntax.Node
}

// index is what an operator may know of the whole program.
type index struct {
	calls   map[string][]use             // by the last name of what is called
	methods map[string]int               // how many classes, object literals and interfaces declare a method of a name
	imports map[string]map[string]origin // by file and local name
	typed   map[string]map[string]string // by file and name of a parameter, field or variable: its annotated type
}

// origin is what a local name is imported from.
type origin struct{ file, name string }

// indexed makes the index once for a program.
func indexed(p *plant.Project) *index {
	return p.Once("typescript.index", func() any {
		x := &index{calls: map[string][]use{}, methods: map[string]int{}, imports: map[string]map[string]origin{},
			typed: map[string]map[string]string{}}
		for f := range p.Sources("typescript") {
			x.add(f)
		}
		return x
	}).(*index)
}

func (x *index) add(f *plant.File) {
	file := f.Path
	x.imports[file], x.typed[file] = map[string]origin{}, map[string]string{}
	kinds := []string{"call_expression", "method_definition", "import_statement", "required_parameter", "public_field_definition",
		"variable_declarator"}
	for n := range f.Root.Find(kinds...) {
		switch n.Kind() {
		case "call_expression":
			if _, name := callee(n); name != "" {
				x.calls[name] = append(x.calls[name], use{file: file, call: n})
			}
		case "method_definition":
			x.methods[n.ChildByField("name").Text()]++
		case "import_statement":
			x.addImport(f, n)
		default:
			name := n.ChildByField("name")
			if n.Kind() == "required_parameter" {
				name = n.ChildByField("pattern")
			}
			if t := n.ChildByField("type"); t.Valid() {
				x.typed[file][strings.TrimPrefix(name.Text(), "#")] = strings.TrimSpace(strings.TrimPrefix(t.Text(), ":"))
			} else if v := n.ChildByField("value"); v.Kind() == "new_expression" {
				x.typed[file][strings.TrimPrefix(name.Text(), "#")] = v.ChildByField("constructor").Text()
			}
		}
	}
}

func (x *index) addImport(f *plant.File, s syntax.Node) {
	module, ok := stringText(s.ChildByField("source"))
	if !ok || !strings.HasPrefix(module, ".") {
		return
	}
	target := resolve(f.Project, f.Path, module)
	if target == "" {
		return
	}
	for n := range s.Find("import_specifier") {
		local := n.ChildByField("name")
		if alias := n.ChildByField("alias"); alias.Valid() {
			local = alias
		}
		x.imports[f.Path][local.Text()] = origin{file: target, name: n.ChildByField("name").Text()}
	}
}

// resolve finds the file that a relative import means, "" when it is none of the program's.
func resolve(p *plant.Project, file, module string) string {
	base := path.Join(path.Dir(file), module)
	stem := strings.TrimSuffix(base, ".js")
	for _, candidate := range []string{base, stem + ".ts", base + ".ts", base + "/index.ts"} {
		if plant.Language(candidate) == "typescript" && p.Text(candidate) != "" {
			return candidate
		}
	}
	return ""
}

// callers lists the calls from other files of a function or method, which is sure to be the one that is called: a
// function must be imported from its file, a method must be the only one of its name or be called on something whose
// annotated type is the imported class.
func (f file) callers(fn syntax.Node) []use {
	name := functionName(fn)
	if name == "" {
		return nil
	}
	x := indexed(f.Project)
	method := fn.Kind() == "method_definition"
	class := fn.Enclosing("class_declaration", "class").ChildByField("name").Text()
	var out []use
	for _, u := range x.calls[name] {
		object, _ := callee(u.call)
		switch {
		case u.file == f.Path:
		case !method:
			if o := x.imports[u.file][name]; !object.Valid() && o.file == f.Path && o.name == name {
				out = append(out, u)
			}
		case object.Valid():
			t := x.typed[u.file][lastName(object)]
			if x.methods[name] == 1 || t != "" && t == class && x.imports[u.file][t].file == f.Path {
				out = append(out, u)
			}
		}
	}
	return out
}

// relied gives the first file, in order, with a call of fn that the test accepts.
func (f file) relied(fn syntax.Node, test func(call syntax.Node) bool) (string, bool) {
	us := f.callers(fn)
	slices.SortStableFunc(us, func(a, b use) int { return strings.Compare(a.file, b.file) })
	for _, u := range us {
		if test(u.call) {
			return u.file, true
		}
	}
	return "", false
}

// result is the name of the variable that a call's value is kept in, awaited or not, "" when it is used otherwise.
func result(call syntax.Node) (string, syntax.Node) {
	n := call
	for n.Parent().Kind() == "await_expression" || n.Parent().Kind() == "parenthesized_expression" {
		n = n.Parent()
	}
	if d := n.Parent(); d.Kind() == "variable_declarator" && d.ChildByField("name").Kind() == "identifier" {
		return d.ChildByField("name").Text(), d
	}
	return "", n
}

// exported says whether a function is visible to other files: exported, or a method that is not private.
func exported(fn syntax.Node) bool {
	if fn.Kind() == "method_definition" {
		return !strings.HasPrefix(fn.Text(), "private ") && fn.ChildByField("name").Kind() != "private_property_identifier"
	}
	n := fn
	if n.Parent().Kind() == "variable_declarator" {
		n = n.Parent().Parent()
	}
	return n.Parent().Kind() == "export_statement"
}

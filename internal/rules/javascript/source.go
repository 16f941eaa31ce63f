package javascript

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// binding is what a local name stands for: a module as a whole, or one of its
// exports.
type binding struct{ module, export string }

// bindings maps the file's names to the modules they come from, by import and
// by require. Export "" is the module itself, "default" its default export.
func bindings(p *rule.Pass) map[string]binding {
	return rule.Memo(p, "js.bindings", func() map[string]binding {
		names := map[string]binding{}
		for _, imp := range p.Nodes("import_statement") {
			module := moduleName(p, imp.ChildByField("source"))
			for n := range imp.Find("import_clause", "namespace_import", "import_specifier", "import_require_clause") {
				switch n.Kind() {
				case "import_specifier":
					name := n.ChildByField("name")
					names[rule.Either(n.ChildByField("alias"), name).Text()] = binding{module, name.Text()}
				case "import_require_clause":
					names[n.NamedChild(0).Text()] = binding{moduleName(p, n.ChildByField("source")), ""}
				default:
					for c := range n.NamedChildren() {
						if c.Kind() == "identifier" {
							names[c.Text()] = binding{module, ""}
						}
					}
				}
			}
		}
		for _, d := range p.Nodes("variable_declarator") {
			bindRequire(p, names, d)
		}
		return names
	})
}

func bindRequire(p *rule.Pass, names map[string]binding, d rule.Node) {
	value, export := d.ChildByField("value"), ""
	if value.Kind() == "await_expression" {
		value = value.NamedChild(0)
	}
	if value.Kind() == "member_expression" { // require("x").y
		export = value.ChildByField("property").Text()
		value = value.ChildByField("object")
	}
	if value.Kind() != "call_expression" {
		return
	}
	if f := value.ChildByField("function").Text(); f != "require" && f != "import" && f != "__importStar" && f != "__importDefault" {
		return
	}
	arg := p.Arg(value, 0)
	if arg.Kind() == "call_expression" { // __importStar(require("x"))
		arg = p.Arg(arg, 0)
	}
	module := moduleName(p, arg)
	if module == "" {
		return
	}
	switch name := d.ChildByField("name"); name.Kind() {
	case "identifier":
		names[name.Text()] = binding{module, export}
	case "object_pattern":
		for c := range name.NamedChildren() {
			switch c.Kind() {
			case "shorthand_property_identifier_pattern":
				names[c.Text()] = binding{module, c.Text()}
			case "pair_pattern":
				names[c.ChildByField("value").Text()] = binding{module, c.ChildByField("key").Text()}
			}
		}
	}
}

func moduleName(p *rule.Pass, n rule.Node) string {
	s, holes, ok := p.String(n)
	if !ok || holes {
		return ""
	}
	return strings.TrimSuffix(strings.TrimPrefix(s, "node:"), "/promises")
}

// methodCalls gives the calls object.name(...) with one of the names.
func methodCalls(p *rule.Pass, names ...string) []rule.Node {
	return rule.Where(p.Calls(), func(call rule.Node) bool {
		_, name := method(call)
		return slices.Contains(names, name)
	})
}

// callsTo gives the calls of one of the exports of module.
func callsTo(p *rule.Pass, module string, exports ...string) []rule.Node {
	return rule.Where(p.Calls(), func(call rule.Node) bool {
		_, ok := callTo(p, call, module, exports...)
		return ok
	})
}

// callTo gives the export's name when call calls one of the exports of module
// (any when none is named), "" otherwise. A module that is itself a function is
// called by the export "".
func callTo(p *rule.Pass, call rule.Node, module string, exports ...string) (string, bool) {
	f := call.ChildByField("function")
	if call.Kind() == "new_expression" {
		f = call.ChildByField("constructor")
	}
	b, ok := resolve(p, f)
	if !ok || b.module != module || len(exports) > 0 && !slices.Contains(exports, b.export) {
		return "", false
	}
	return b.export, true
}

// resolve gives the export an expression stands for: a bound name, or a member
// of a bound module.
func resolve(p *rule.Pass, f rule.Node) (binding, bool) {
	f = unwrap(f)
	switch f.Kind() {
	case "identifier":
		if b, ok := bindings(p)[f.Text()]; ok && !declaredInside(p, f) {
			return b, true
		}
	case "member_expression":
		object, property := unwrap(f.ChildByField("object")), f.ChildByField("property").Text()
		if object.Is("member_expression") && rule.OneOf(object.ChildByField("property").Text(), "promises", "default") {
			object = unwrap(object.ChildByField("object"))
		}
		if object.Kind() == "call_expression" && object.ChildByField("function").Text() == "require" {
			return binding{moduleName(p, p.Arg(object, 0)), property}, true
		}
		b, ok := bindings(p)[object.Text()]
		if ok && object.Is("identifier") && rule.OneOf(b.export, "", "promises", "default") {
			return binding{b.module, property}, true
		}
	}
	return binding{}, false
}

// declaredInside tells whether a function around n has a parameter of its name.
func declaredInside(p *rule.Pass, n rule.Node) bool { return parameterOf(p, n, n.Text()) }

// parameterOf tells whether a function around n has a parameter called name.
func parameterOf(p *rule.Pass, n rule.Node, name string) bool {
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		if slices.Contains(p.ParameterNames(fn), name) {
			return true
		}
	}
	return false
}

// unwrap strips what does not change a value: parentheses, await, casts and
// non-null marks.
func unwrap(n rule.Node) rule.Node {
	for {
		switch n.Kind() {
		case "parenthesized_expression", "await_expression", "as_expression", "satisfies_expression", "non_null_expression":
			n = n.NamedChild(0)
		case "type_assertion", "sequence_expression": // (0, module.fn)(...)
			n = n.NamedChild(n.NumNamed() - 1)
		default:
			return n
		}
	}
}

// member splits object.property; the property is "" for anything else.
func member(n rule.Node) (object rule.Node, property string) {
	if n.Kind() != "member_expression" {
		return rule.Node{}, ""
	}
	return n.ChildByField("object"), n.ChildByField("property").Text()
}

// method splits a call object.name(...).
func method(call rule.Node) (object rule.Node, name string) {
	if call.Kind() != "call_expression" {
		return rule.Node{}, ""
	}
	return member(call.ChildByField("function"))
}

// property gives the value an object literal has for key.
func property(p *rule.Pass, object rule.Node, key string) rule.Node {
	if object.Kind() != "object" {
		return rule.Node{}
	}
	for c := range object.NamedChildren() {
		if c.Kind() == "pair" && strings.Trim(c.ChildByField("key").Text(), `"'`) == key {
			return c.ChildByField("value")
		}
		if c.Kind() == "shorthand_property_identifier" && c.Text() == key {
			return c
		}
	}
	return rule.Node{}
}

// async tells whether a function is declared async.
func async(fn rule.Node) bool {
	return rule.First(fn.Children(), func(c rule.Node) bool { return c.Is("async", "formal_parameters", "statement_block") }).Is("async")
}

// owns tells whether a node of the kinds runs when the function itself runs: functions inside it are left out.
func owns(fn rule.Node, kinds ...string) bool {
	found := false
	fn.ChildByField("body").Walk(func(n rule.Node) bool {
		found = found || n.Is(kinds...)
		return !found && !isFunction(n)
	})
	return found
}

func isFunction(n rule.Node) bool {
	return n.Is("function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function",
		"generator_function_declaration")
}

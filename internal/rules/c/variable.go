package c

import (
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// variable is a parameter or local variable as declared.
type variable struct {
	name     string
	typ      string // the type before the declarator, as written
	pointers int    // stars before the name
	array    bool
	size     rule.Node // of the first dimension, the zero Node when left open
	param    bool
	static   bool      // static, extern or thread-local
	constant bool      // const stands in the declaration
	value    rule.Node // the initial value, the zero Node when there is none
	block    rule.Node // the statement list it lives in
}

// chars tells whether v is an array of char with a size.
func (v variable) chars() bool {
	return v.array && !v.param && v.pointers == 0 && v.size.Valid() && strings.HasSuffix(v.typ, "char")
}

// pointer tells whether v holds one address, array parameters among them.
func (v variable) pointer() bool {
	return v.pointers == 1 && !v.array || v.param && v.array && v.pointers == 0
}

// variables gives the parameters and locals of a function by name. A name that is declared twice is left out, as is
// everything in a function that did not parse.
func variables(p *rule.Pass, function rule.Node) map[string]variable {
	return rule.MemoOf(p, "c.variables", function, func() map[string]variable {
		all, times := map[string]variable{}, map[string]int{}
		if !function.Valid() || broken(function) {
			return all
		}
		for d := range function.Find("declaration", "parameter_declaration") {
			for _, v := range declared(d) {
				all[v.name] = v
				times[v.name]++
			}
		}
		maps.DeleteFunc(all, func(name string, _ variable) bool { return times[name] > 1 })
		return all
	})
}

func declared(d rule.Node) []variable {
	base := variable{typ: d.ChildByField("type").Text(), param: d.Kind() == "parameter_declaration"}
	base.block = d.Enclosing("compound_statement", "function_definition")
	var all []variable
	for c := range d.Children() {
		switch c.Kind() {
		case "storage_class_specifier":
			base.static = base.static || rule.OneOf(c.Text(), "static", "extern", "_Thread_local", "__thread", "thread_local")
		case "type_qualifier":
			base.constant = base.constant || c.Text() == "const"
		}
		if c.Field() != "declarator" {
			continue
		}
		v, n := base, c
		if n.Kind() == "init_declarator" {
			v.value = n.ChildByField("value")
			n = n.ChildByField("declarator")
		}
	descend:
		for n.Valid() {
			switch n.Kind() {
			case "pointer_declarator":
				v.pointers++
			case "array_declarator":
				v.array = true
				v.size = n.ChildByField("size")
			case "parenthesized_declarator", "function_declarator":
				n = rule.Node{} // a pointer to a function or to an array
				continue
			case "identifier":
				v.name = n.Text()
				break descend
			}
			n = n.ChildByField("declarator")
		}
		if v.name != "" {
			all = append(all, v)
		}
	}
	return all
}

// short tells whether n is a function of a length that is worth reading once for each place in it.
func short(n rule.Node) bool { return n.Valid() && n.End()-n.Start() < 30_000 }

// broken tells whether some of n did not parse.
func broken(n rule.Node) bool {
	return rule.Within(n, func(c rule.Node) bool { return c.IsError() || c.IsMissing() })
}

// sizeofName gives the variable in sizeof(x) or sizeof x, "" for anything else.
func sizeofName(n rule.Node) string {
	n = rule.Bare(n)
	if v := rule.Bare(n.ChildByField("value")); n.Is("sizeof_expression") && v.Is("identifier") {
		return v.Text()
	}
	return ""
}

// dereferenced tells whether the name n stands where its target is read or written.
func dereferenced(n rule.Node) bool {
	up := n.Parent()
	switch up.Kind() {
	case "field_expression":
		return n.Field() == "argument" && up.Operator() == "->" && !sized(up)
	case "subscript_expression":
		return n.Field() == "argument" && !sized(up) && up.Parent().Kind() != "pointer_expression"
	case "pointer_expression":
		return up.Operator() == "*" && !sized(up)
	}
	return false
}

func sized(n rule.Node) bool {
	return n.Enclosing("sizeof_expression").Valid() || n.Parent().Kind() == "pointer_expression" && n.Parent().Operator() == "&"
}

// outside tells whether n is text the program was given: argv, the environment, or a pointer to char that a caller
// passed in.
func outside(p *rule.Pass, vars map[string]variable, n rule.Node) bool {
	n = rule.Bare(n)
	switch n.Kind() {
	case "identifier":
		v, ok := vars[n.Text()]
		return ok && v.param && v.pointer() && strings.HasSuffix(v.typ, "char") && !literalCallers(p, p.Function(n), v.name)
	case "subscript_expression":
		return n.ChildByField("argument").Text() == "argv"
	case "call_expression":
		return p.Callee(n) == "getenv"
	}
	return false
}

// measured tells whether the function asks for the length of the text in n before at.
func measured(p *rule.Pass, function, n rule.Node, at int) bool {
	text := rule.Bare(n).Text()
	return rule.Any(function.Find("call_expression"), func(c rule.Node) bool {
		name := strings.ToLower(p.Callee(c))
		return c.Start() < at && (strings.Contains(name, "len") || strings.Contains(name, "check") || strings.Contains(name, "valid")) &&
			slices.ContainsFunc(p.Args(c), func(a rule.Node) bool { return rule.Bare(a).Text() == text })
	})
}

// literalCallers tells whether the file calls the function, and every time with a string constant for the parameter.
func literalCallers(p *rule.Pass, function rule.Node, parameter string) bool {
	at := slices.Index(p.ParameterNames(function), parameter)
	name := rule.First(function.Find("function_declarator"), rule.Node.Valid).ChildByField("declarator").Text()
	calls := p.CallsTo(name)
	return len(calls) > 0 && !slices.ContainsFunc(calls, func(c rule.Node) bool { return !p.IsString(rule.Bare(p.Arg(c, at))) })
}

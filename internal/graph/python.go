package graph

import (
	"iter"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var python = grammar{
	define: definePython, unwrapType: pythonType, variables: true,
	table: map[string]rule{
		"function_definition": {does: defines, a: "name", b: "return_type", kind: KindFunction},
		"class_definition":    {does: defines, a: "name", kind: KindClass},

		"assignment":        {does: assigns, a: "left", b: "right", c: "type"},
		"named_expression":  {does: assigns, a: "name", b: "value"},
		"for_statement":     {hook: leftOnly},
		"for_in_clause":     {hook: leftOnly},
		"as_pattern":        {hook: pythonAs},
		"parameters":        {hook: pythonParameters},
		"lambda_parameters": {hook: pythonParameters},
		"return_statement":  {hook: returned},

		"call":                     {does: callee, a: "function", b: "super"},
		"attribute":                {does: members, a: "object", b: "attribute"},
		"identifier":               {does: names},
		"await":                    {does: through},
		"parenthesized_expression": {does: through},
		"type":                     {does: through},
		"keyword_argument":         {skip: "name"},
		"default_parameter":        {skip: "name"},
		"typed_default_parameter":  {skip: "name"},
		"string":                   {does: literals},
		"concatenated_string":      {does: literals},
		"list":                     {does: literals},
		"dictionary":               {does: literals},
		"set":                      {does: literals},
		"tuple":                    {does: literals},
		"list_comprehension":       {does: literals},
		"dictionary_comprehension": {does: literals},
		"integer":                  {does: literals},
		"float":                    {does: literals},
		"global_statement":         {does: ignores},
		"nonlocal_statement":       {does: ignores},

		"import_statement":        {hook: pythonImport},
		"import_from_statement":   {hook: pythonImportFrom},
		"future_import_statement": {does: ignores},
	},
}

func definePython(c *collector, n syntax.Node, s *symbol) {
	s.Exported = !strings.HasPrefix(s.Name, "_")
	if body := n.ChildByField("body"); body.Valid() {
		if first := body.NamedChild(0); first.Kind() == "expression_statement" && first.NamedChild(0).Kind() == "string" {
			text := strings.TrimLeft(first.NamedChild(0).Text(), "rRbBuUfF") // of the string's own prefix
			s.Doc = cut(strings.TrimLeft(strings.Trim(text, "\"' \n\t"), "\\\n"))
		}
	}
	switch s.Kind {
	case KindClass:
		for b := range n.ChildByField("superclasses").NamedChildren() {
			if b.Kind() == "subscript" {
				b = b.ChildByField("value")
			}
			if b.Kind() != "keyword_argument" {
				s.addBase(c.value(b))
			}
		}
	case KindFunction, KindMethod:
		for d := range decorators(n) {
			last := d[strings.LastIndexByte(d, '.')+1:]
			s.Declared = s.Declared || last == "overload" || last == "abstractmethod"
			s.Adds = s.Adds || strings.HasPrefix(d, s.Name+".")
		}
		s.Params = int16(min(n.ChildByField("parameters").NumNamed(), 100))
	}
}

// decorators are the texts of a definition's decorators.
func decorators(n syntax.Node) iter.Seq[string] {
	return func(yield func(string) bool) {
		up := n.Parent()
		if up.Kind() != "decorated_definition" {
			return
		}
		for d := range up.NamedChildren() {
			if d.Kind() == "decorator" && !yield(d.NamedChild(0).Text()) {
				return
			}
		}
	}
}

// pythonType is the type within Optional[T], T | None, "T" and type[T]'s like.
func pythonType(n syntax.Node) syntax.Node {
	for range 4 {
		switch n.Kind() {
		case "type":
			n = n.NamedChild(0)
		case "generic_type", "subscript":
			switch name := n.NamedChild(0).Text(); name {
			case "Optional", "Annotated", "ClassVar", "Final", "Awaitable":
				n = n.NamedChild(1)
				if n.Kind() == "type_parameter" {
					n = n.NamedChild(0)
				}
			default:
				return n.NamedChild(0)
			}
		case "binary_operator":
			n = n.ChildByField("left")
		case "union_type":
			n = n.NamedChild(0)
		default:
			return n
		}
	}
	return n
}

// leftOnly binds what is on the left and holds no one knows what.
func leftOnly(c *collector, n syntax.Node) bool {
	if c.inFunction() {
		c.bindNames(n.ChildByField("left"), "")
	}
	return true
}

func pythonAs(c *collector, n syntax.Node) bool {
	if c.inFunction() {
		c.bindNames(n.ChildByField("alias"), c.value(n.NamedChild(0)))
	}
	return true
}

func pythonParameters(c *collector, n syntax.Node) bool {
	f := n.Parent()
	in := c.in()
	method := in >= 0 && f.Kind() == "function_definition" && c.facts.Symbols[in].Kind == KindMethod
	self := this
	for d := range decorators(f) {
		switch d {
		case "staticmethod":
			method = false
		case "classmethod":
			self = class
		}
	}
	for p := range n.NamedChildren() {
		switch {
		case p.Kind() == "identifier" && method:
			c.bind(p.Text(), self)
		case p.Kind() == "typed_parameter":
			if t := c.typeOf(p.ChildByField("type"), 6); p.NamedChild(0).Kind() == "identifier" {
				c.bind(p.NamedChild(0).Text(), t)
			} else {
				c.bindNames(p.NamedChild(0), "")
			}
		case p.Kind() == "typed_default_parameter":
			c.bindNames(p.ChildByField("name"), c.typeOf(p.ChildByField("type"), 6))
		default:
			c.bindNames(p, "")
		}
		method = false
	}
	return true
}

// returned takes a function's value from what it returns where its result has no type.
func returned(c *collector, n syntax.Node) bool {
	in := c.in()
	if in < 0 || !c.facts.Symbols[in].Kind.callable() || c.facts.Symbols[in].Value != "" {
		return true
	}
	if v := n.NamedChild(0); n.NumNamed() == 1 {
		if chain := c.value(v); strings.HasSuffix(chain, "()") || chain == "self" || chain == this {
			c.facts.Symbols[in].Value = chain
		}
	}
	return true
}

func pythonImport(c *collector, n syntax.Node) bool {
	for m := range n.NamedChildren() {
		switch m.Kind() {
		case "dotted_name": // import a.b binds a
			c.bring(m, m.Text(), "", "", false)
		case "aliased_import":
			c.bring(m, m.ChildByField("name").Text(), "", m.ChildByField("alias").Text(), false)
		}
	}
	return false
}

func pythonImportFrom(c *collector, n syntax.Node) bool {
	module := strings.ReplaceAll(n.ChildByField("module_name").Text(), " ", "")
	for m := range n.NamedChildren() {
		switch {
		case m.Kind() == "wildcard_import":
			c.bring(n, module, "*", "", true)
		case m.Field() == "module_name":
		case m.Kind() == "dotted_name":
			c.bring(m, module, m.Text(), m.Text(), true)
		case m.Kind() == "aliased_import":
			c.bring(m, module, m.ChildByField("name").Text(), m.ChildByField("alias").Text(), true)
		}
	}
	return false
}

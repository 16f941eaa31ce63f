package graph

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var golang = grammar{
	define: defineGo, unwrapType: goType, variables: true,
	table: map[string]rule{
		"function_declaration": {does: defines, a: "name", b: "result", kind: KindFunction},
		"method_declaration":   {does: defines, a: "name", b: "result", kind: KindMethod},
		"method_elem":          {does: defines, a: "name", b: "result", kind: KindMethod, hook: goMethod},
		"type_spec":            {does: defines, a: "name", kind: KindType},
		"type_alias":           {does: defines, a: "name", kind: KindType},
		"const_spec":           {hook: goSpec},
		"var_spec":             {hook: goSpec},
		"field_declaration":    {hook: goField},

		"func_literal":                   {does: opens},
		"short_var_declaration":          {does: assigns, a: "left", b: "right"},
		"range_clause":                   {hook: goLeft},
		"receive_statement":              {hook: goLeft},
		"type_switch_statement":          {hook: goLeft},
		"parameter_declaration":          {hook: goParameters},
		"variadic_parameter_declaration": {hook: goParameters},
		"type_parameter_declaration":     {hook: goParameters},

		"call_expression":            {does: callee, a: "function"},
		"composite_literal":          {does: makes, a: "type"},
		"type_assertion_expression":  {does: makes, a: "type", b: "cast"},
		"selector_expression":        {does: members, a: "operand", b: "field"},
		"qualified_type":             {does: members, a: "package", b: "name"},
		"identifier":                 {does: names},
		"type_identifier":            {does: names},
		"package_identifier":         {does: names},
		"field_identifier":           {does: names, a: "member"},
		"pointer_type":               {does: through},
		"generic_type":               {does: through, a: "type"},
		"parenthesized_type":         {does: through},
		"parenthesized_expression":   {does: through},
		"unary_expression":           {does: through, a: "operand"},
		"keyed_element":              {hook: goKeyed},
		"import_spec":                {hook: goImport},
		"package_clause":             {hook: goPackage},
		"interpreted_string_literal": {does: literals},
		"raw_string_literal":         {does: literals},
		"int_literal":                {does: literals},
		"label_name":                 {does: ignores},
	},
}

// defineGo completes what a declaration says of a symbol.
func defineGo(c *collector, n syntax.Node, s *symbol) {
	r, _ := utf8.DecodeRuneInString(s.Name)
	s.Exported = unicode.IsUpper(r)
	s.Declared = n.Kind() == "method_elem"
	switch n.Kind() {
	case "method_declaration":
		for p := range n.ChildByField("receiver").NamedChildren() {
			s.Owner = strings.TrimSuffix(c.typeOf(p.ChildByField("type"), 6), "()")
		}
	case "type_spec":
		t := n.ChildByField("type")
		if t.Kind() == "interface_type" {
			s.Kind = KindInterface
			for e := range t.NamedChildren() {
				if e.Kind() == "type_elem" && e.NumNamed() == 1 {
					s.addBase(c.value(e.NamedChild(0)))
				}
			}
		} else if c.table[t.Kind()].does != 0 { // its underlying type has no methods to give, but an alias's has
			s.Value = ""
		}
	case "type_alias":
		s.addBase(c.value(n.ChildByField("type")))
	}
	s.Params = goParams(n)
}

func goParams(n syntax.Node) int16 {
	k := 0
	for p := range n.ChildByField("parameters").NamedChildren() {
		declared := 0
		for c := range p.Children() {
			if c.Field() == "name" {
				declared++
			}
		}
		k += max(declared, 1)
	}
	return int16(min(k, 100))
}

func (s *symbol) addBase(chain string) {
	if chain != "" && len(s.Bases) < maxBases {
		s.Bases = append(s.Bases, chain)
	}
}

// goType is the type that a result list begins with.
func goType(n syntax.Node) syntax.Node {
	if n.Kind() == "parameter_list" {
		return n.NamedChild(0).ChildByField("type")
	}
	return n
}

// goSpec makes symbols of constants and variables, or binds them in a function.
func goSpec(c *collector, n syntax.Node) bool {
	chain := c.typeOf(n.ChildByField("type"), 6)
	if chain == "" {
		chain = c.value(n.ChildByField("value").NamedChild(0))
	}
	for name := range n.Children() {
		if name.Field() != "name" || !name.Named() {
			continue
		}
		switch {
		case c.inFunction():
			c.bind(name.Text(), chain)
		case name.Text() != "_":
			kind := KindVariable
			if n.Kind() == "const_spec" {
				kind = KindConstant
			}
			c.add(n, name.Text(), kind, chain, false)
		}
		chain = ""
	}
	return true
}

func goField(c *collector, n syntax.Node) bool {
	t := n.ChildByField("type")
	chain := c.typeOf(t, 6)
	named := false
	for name := range n.Children() {
		if name.Field() == "name" {
			named = true
			c.field(name.Text(), chain)
		}
	}
	if in := c.in(); !named && in >= 0 && chain != "" { // embedded: its methods are the struct's
		parts := split(strings.TrimSuffix(chain, "()"))
		c.facts.Symbols[in].addBase(strings.TrimSuffix(chain, "()"))
		c.field(parts[len(parts)-1], chain)
	}
	return true
}

// goLeft binds the names on the left of range, receive and a type switch.
func goLeft(c *collector, n syntax.Node) bool {
	for _, field := range []string{"left", "alias"} {
		c.bindNames(n.ChildByField(field), "")
	}
	return true
}

func goParameters(c *collector, n syntax.Node) bool {
	chain := c.typeOf(n.ChildByField("type"), 6)
	if n.Kind() != "parameter_declaration" {
		chain = ""
	}
	if up := n.Parent().Parent(); up.Is("function_type", "method_elem") {
		return true
	}
	for name := range n.Children() {
		if name.Field() == "name" {
			c.bind(name.Text(), chain)
		}
	}
	return true
}

// goMethod leaves out the methods of interfaces that have no name.
func goMethod(c *collector, n syntax.Node) bool {
	in := c.in()
	return in >= 0 && c.facts.Symbols[in].Kind.holder() && n.Parent().Parent().Is("type_spec", "type_alias")
}

// goKeyed leaves out the keys of a literal that are names: fields.
func goKeyed(c *collector, n syntax.Node) bool {
	key, value := n.NamedChild(0), n.NamedChild(1)
	if key.NumNamed() == 1 && key.NamedChild(0).Kind() != "identifier" {
		key.Walk(c.visit)
	}
	value.Walk(c.visit)
	return false
}

func goImport(c *collector, n syntax.Node) bool {
	module := strings.Trim(n.ChildByField("path").Text(), "\"`")
	as := n.ChildByField("name").Text()
	switch as {
	case ".":
		c.bring(n, module, "*", "", false)
	case "_":
		c.bring(n, module, "", "", false)
	default:
		c.bring(n, module, "", as, false)
	}
	return false
}

func goPackage(c *collector, n syntax.Node) bool {
	c.facts.Package = cut(n.NamedChild(0).Text())
	return false
}

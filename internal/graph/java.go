package graph

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var java = grammar{
	define: defineJava, memberBinds: true, bareMember: true,
	table: map[string]rule{
		"class_declaration":           {does: defines, a: "name", kind: KindClass},
		"record_declaration":          {does: defines, a: "name", kind: KindClass},
		"enum_declaration":            {does: defines, a: "name", kind: KindClass},
		"interface_declaration":       {does: defines, a: "name", kind: KindInterface},
		"annotation_type_declaration": {does: defines, a: "name", kind: KindInterface},
		"method_declaration":          {does: defines, a: "name", b: "type", kind: KindMethod},
		"constructor_declaration":     {does: defines, a: "name", kind: KindMethod},
		"enum_constant":               {does: defines, a: "name", kind: KindConstant},
		"field_declaration":           {hook: javaDeclaration},
		"constant_declaration":        {hook: javaDeclaration},
		"local_variable_declaration":  {hook: javaDeclaration},

		"formal_parameter":       {does: takes, a: "name", c: "type"},
		"catch_formal_parameter": {does: takes, a: "name"},
		"enhanced_for_statement": {does: takes, a: "name", c: "type"},
		"resource":               {does: takes, a: "name", c: "type"},
		"instanceof_expression":  {does: takes, a: "name", c: "right"},
		"type_pattern":           {hook: javaPattern},
		"spread_parameter":       {hook: javaSpread},
		"inferred_parameters":    {hook: javaSpread},
		"static_initializer":     {does: opens},
		"lambda_expression":      {hook: javaLambda},
		"variable_declarator":    {skip: "name"},

		"method_invocation":          {does: invokes, a: "object", b: "name"},
		"object_creation_expression": {does: makes, a: "type"},
		"field_access":               {does: members, a: "object", b: "field"},
		"scoped_identifier":          {does: members, a: "scope", b: "name"},
		"scoped_type_identifier":     {does: paths},
		"method_reference":           {hook: javaReference},
		"identifier":                 {does: names},
		"type_identifier":            {does: names},
		"this":                       {does: special, a: this},
		"super":                      {does: special, a: super},
		"generic_type":               {does: through},
		"parenthesized_expression":   {does: through},
		"cast_expression":            {does: makes, a: "type", b: "cast"},
		"string_literal":             {does: literals},
		"decimal_integer_literal":    {does: literals},
		"class_literal":              {does: literals},

		"package_declaration": {hook: javaPackage},
		"import_declaration":  {hook: javaImport},
	},
}

func defineJava(c *collector, n syntax.Node, s *symbol) {
	for m := range n.NamedChildren() {
		switch m.Kind() {
		case "modifiers":
			for _, word := range strings.Fields(m.Text()) {
				s.Exported = s.Exported || word == "public" || word == "protected"
				s.Static = s.Static || word == "static"
			}
			if s.Kind.callable() || s.Kind.holder() { // annotations are no signature
				if rest := strings.TrimSpace(string(n.Tree().Source()[m.End():min(n.End(), m.End()+maxText)])); strings.HasPrefix(m.Text(), "@") {
					s.Signature = cut(rest)
				}
			}
		case "superclass", "super_interfaces", "extends_interfaces":
			for t := range m.NamedChildren() {
				if t.Kind() != "type_list" {
					s.addBase(strings.TrimSuffix(c.typeOf(t, 6), "()"))
					continue
				}
				for e := range t.NamedChildren() {
					s.addBase(strings.TrimSuffix(c.typeOf(e, 6), "()"))
				}
			}
		}
	}
	s.Declared = n.Kind() == "method_declaration" && !n.ChildByField("body").Valid()
	if in := s.Parent; in >= 0 && c.facts.Symbols[in].Kind == KindInterface {
		s.Exported = true
	}
	s.Params = int16(min(n.ChildByField("parameters").NumNamed(), 100))
}

// javaDeclaration makes symbols of fields and binds local variables.
func javaDeclaration(c *collector, n syntax.Node) bool {
	t := n.ChildByField("type")
	chain := c.typeOf(t, 6)
	for d := range n.NamedChildren() {
		if d.Kind() != "variable_declarator" {
			continue
		}
		name := c.nameText(d.ChildByField("name"))
		held := chain
		if t.Text() == "var" {
			held = c.value(d.ChildByField("value"))
		}
		switch {
		case name == "":
		case n.Kind() == "local_variable_declaration":
			c.bind(name, held)
		default:
			kind := KindVariable
			if name == strings.ToUpper(name) {
				kind = KindConstant
			}
			c.add(n, name, kind, held, false)
		}
	}
	return true
}

func javaPattern(c *collector, n syntax.Node) bool {
	c.bindNames(n.NamedChild(1), c.typeOf(n.NamedChild(0), 6))
	return true
}

func javaSpread(c *collector, n syntax.Node) bool {
	for d := range n.NamedChildren() {
		switch d.Kind() {
		case "variable_declarator":
			c.bindNames(d.ChildByField("name"), "")
		case "identifier":
			c.bindNames(d, "")
		}
	}
	return true
}

func javaLambda(c *collector, n syntax.Node) bool {
	if p := n.ChildByField("parameters"); p.Kind() == "identifier" {
		c.bindNames(p, "")
	}
	return true
}

// javaReference records A::b, which names a method without calling it.
func javaReference(c *collector, n syntax.Node) bool {
	object, name := n.NamedChild(0), n.NamedChild(n.NumNamed()-1)
	if s := c.chainOf(object, 6); s != unknown && n.NumNamed() > 1 {
		c.use(s+"."+name.Text(), Reads, n, 0)
	}
	return false
}

func javaPackage(c *collector, n syntax.Node) bool {
	for p := range n.NamedChildren() {
		if p.Is("scoped_identifier", "identifier") {
			c.facts.Package = cut(p.Text())
		}
	}
	return false
}

func javaImport(c *collector, n syntax.Node) bool {
	module, all := "", false
	for p := range n.NamedChildren() {
		switch p.Kind() {
		case "scoped_identifier", "identifier":
			module = p.Text()
		case "asterisk":
			all = true
		}
	}
	if all {
		c.bring(n, module, "*", "", false)
	} else if i := strings.LastIndexByte(module, '.'); i > 0 {
		c.bring(n, module[:i], module[i+1:], module[i+1:], false)
	}
	return false
}

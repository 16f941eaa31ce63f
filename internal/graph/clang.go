package graph

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// clang is C.
var clang = grammar{
	define: defineC,
	table: map[string]rule{
		"function_definition":   {does: defines, named: cName, kind: KindFunction},
		"struct_specifier":      {hook: cStruct},
		"union_specifier":       {hook: cStruct},
		"enum_specifier":        {hook: cStruct},
		"enumerator":            {does: defines, a: "name", kind: KindConstant},
		"type_definition":       {hook: cTypedef},
		"preproc_def":           {does: defines, a: "name", kind: KindConstant},
		"preproc_function_def":  {does: defines, a: "name", kind: KindFunction},
		"declaration":           {hook: cDeclaration},
		"parameter_declaration": {hook: cParameter},
		"preproc_include":       {hook: cInclude},
		"preproc_params":        {does: ignores},

		"call_expression":          {does: callee, a: "function"},
		"field_expression":         {does: members, a: "argument", b: "field"},
		"identifier":               {does: names},
		"type_identifier":          {does: names},
		"field_identifier":         {does: names, a: "member"},
		"pointer_expression":       {does: through, a: "argument"},
		"parenthesized_expression": {does: through},
		"string_literal":           {does: literals},
		"number_literal":           {does: literals},
		"char_literal":             {does: literals},
		"statement_identifier":     {does: ignores},
		"field_declaration":        {},
		"init_declarator":          {skip: "declarator"},
		"function_declarator":      {skip: "declarator"},
		"pointer_declarator":       {skip: "declarator"},
		"array_declarator":         {skip: "declarator"},
	},
}

// declared is the name within nested declarators, and the declarator of a function among them.
func declared(n syntax.Node) (name, function syntax.Node) {
	d := n.ChildByField("declarator")
	for range 10 {
		if d.Kind() == "function_declarator" {
			function = d
		}
		inner := d.ChildByField("declarator")
		if !inner.Valid() && d.Kind() == "parenthesized_declarator" {
			inner = d.NamedChild(0)
		}
		if !inner.Valid() {
			break
		}
		d = inner
	}
	return d, function
}

func cName(c *collector, n syntax.Node) string {
	name, _ := declared(n)
	return c.nameText(name)
}

func defineC(c *collector, n syntax.Node, s *symbol) {
	s.Exported = true
	for m := range n.NamedChildren() {
		if m.Kind() == "storage_class_specifier" && m.Text() == "static" {
			s.Exported, s.Static = false, true
		}
	}
	if _, f := declared(n); f.Valid() {
		s.Params = int16(min(f.ChildByField("parameters").NumNamed(), 100))
	}
}

// cStruct makes types of structs, unions and enums that have a body.
func cStruct(c *collector, n syntax.Node) bool {
	if name := c.nameText(n.ChildByField("name")); name != "" && n.ChildByField("body").Valid() && !c.inFunction() {
		c.add(n, name, KindType, "", false)
	}
	return true
}

func cTypedef(c *collector, n syntax.Node) bool {
	if name := cName(c, n); name != "" && !c.inFunction() {
		c.add(n, name, KindType, "", false)
	}
	n.ChildByField("type").Walk(c.visit)
	return false
}

// cDeclaration makes symbols of prototypes and global variables, and binds local ones.
func cDeclaration(c *collector, n syntax.Node) bool {
	if c.inFunction() {
		for d := range n.Children() {
			if d.Field() == "declarator" {
				c.bindNames(innermost(d), "")
			}
		}
		return true
	}
	name, function := declared(n)
	text := c.nameText(name)
	switch {
	case text == "":
	case function.Valid():
		if s := c.add(n, text, KindFunction, "", true); s != nil {
			s.Declared = true
		}
	default:
		if s := c.add(n, text, KindVariable, "", false); s != nil {
			s.Declared = strings.HasPrefix(s.Signature, "extern ")
		}
	}
	return true
}

func innermost(d syntax.Node) syntax.Node {
	for range 10 {
		inner := d.ChildByField("declarator")
		if !inner.Valid() {
			return d
		}
		d = inner
	}
	return d
}

func cParameter(c *collector, n syntax.Node) bool {
	c.bindNames(innermost(n.ChildByField("declarator")), "")
	return true
}

// cInclude brings in a quoted path. One in angle brackets keeps them.
func cInclude(c *collector, n syntax.Node) bool {
	c.bring(n, strings.Trim(n.ChildByField("path").Text(), `"`), "*", "", true)
	return false
}

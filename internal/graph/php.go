package graph

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var php = grammar{
	define: definePHP, memberBinds: true, unwrapType: phpType,
	table: map[string]rule{
		"function_definition":   {does: defines, a: "name", b: "return_type", kind: KindFunction},
		"method_declaration":    {does: defines, a: "name", b: "return_type", kind: KindMethod},
		"class_declaration":     {does: defines, a: "name", kind: KindClass},
		"trait_declaration":     {does: defines, a: "name", kind: KindClass},
		"enum_declaration":      {does: defines, a: "name", kind: KindClass},
		"interface_declaration": {does: defines, a: "name", kind: KindInterface},
		"const_element":         {does: defines, named: phpConstant, kind: KindConstant},
		"enum_case":             {does: defines, a: "name", kind: KindConstant},
		"property_declaration":  {hook: phpProperty},

		"anonymous_function":           {does: opens},
		"arrow_function":               {does: opens},
		"assignment_expression":        {does: assigns, a: "left", b: "right"},
		"foreach_statement":            {hook: phpForeach},
		"simple_parameter":             {does: takes, a: "name", c: "type"},
		"variadic_parameter":           {does: takes, a: "name"},
		"property_promotion_parameter": {does: takes, a: "name", c: "type", hook: phpPromoted},
		"catch_clause":                 {does: takes, a: "name"},

		"function_call_expression":          {does: callee, a: "function"},
		"member_call_expression":            {does: invokes, a: "object", b: "name"},
		"nullsafe_member_call_expression":   {does: invokes, a: "object", b: "name"},
		"scoped_call_expression":            {does: invokes, a: "scope", b: "name"},
		"object_creation_expression":        {hook: phpNew, chain: phpMade},
		"member_access_expression":          {does: members, a: "object", b: "name"},
		"nullsafe_member_access_expression": {does: members, a: "object", b: "name"},
		"scoped_property_access_expression": {does: members, a: "scope", b: "name"},
		"class_constant_access_expression":  {hook: phpClassConstant},
		"variable_name":                     {does: names, hook: phpVariable, chain: phpName},
		"name":                              {does: names},
		"qualified_name":                    {does: paths},
		"relative_scope":                    {does: paths, chain: phpScope},
		"named_type":                        {does: through},
		"optional_type":                     {does: through},
		"parenthesized_expression":          {does: through},
		"clone_expression":                  {does: through},
		"string":                            {does: literals},
		"encapsed_string":                   {does: literals},
		"integer":                           {does: literals},
		"array_creation_expression":         {does: literals},

		"namespace_definition":      {hook: phpNamespace},
		"namespace_use_declaration": {hook: phpUse},
		"use_declaration":           {hook: phpTrait},
		"require_expression":        {hook: phpRequire},
		"require_once_expression":   {hook: phpRequire},
		"include_expression":        {hook: phpRequire},
		"include_once_expression":   {hook: phpRequire},
	},
}

func definePHP(c *collector, n syntax.Node, s *symbol) {
	s.Exported = true
	s.Declared = n.Kind() == "method_declaration" && !n.ChildByField("body").Valid()
	for m := range n.NamedChildren() {
		switch m.Kind() {
		case "visibility_modifier":
			s.Exported = m.Text() == "public"
		case "base_clause", "class_interface_clause":
			for b := range m.NamedChildren() {
				s.addBase(c.value(b))
			}
		}
	}
	s.Params = int16(min(n.ChildByField("parameters").NumNamed(), 100))
}

func phpType(n syntax.Node) syntax.Node {
	for range 3 {
		if !n.Is("optional_type", "named_type", "union_type") {
			break
		}
		n = n.NamedChild(0)
	}
	return n
}

func phpConstant(c *collector, n syntax.Node) string { return c.nameText(n.NamedChild(0)) }

func phpProperty(c *collector, n syntax.Node) bool {
	chain := c.typeOf(n.ChildByField("type"), 6)
	for e := range n.NamedChildren() {
		if e.Kind() == "property_element" {
			name := strings.TrimPrefix(e.NamedChild(0).Text(), "$")
			c.add(n, name, KindVariable, chain, false)
		}
	}
	return true
}

func phpPromoted(c *collector, n syntax.Node) bool {
	c.field(strings.TrimPrefix(n.ChildByField("name").Text(), "$"), c.typeOf(n.ChildByField("type"), 6))
	return true
}

func phpForeach(c *collector, n syntax.Node) bool {
	first := true
	for v := range n.NamedChildren() {
		if !first && v.Is("variable_name", "pair", "by_ref") && c.inFunction() {
			c.bindNames(v, "")
		}
		first = false
	}
	return true
}

// phpVariable says that what is inside of $name is no name by itself.
func phpVariable(c *collector, n syntax.Node) bool {
	if n.Parent().Is("simple_parameter", "property_promotion_parameter", "property_element") || n.Text() == "$this" {
		return false
	}
	c.read(n, c.table["variable_name"])
	return false
}

// created is the class in new A(...).
func created(n syntax.Node) syntax.Node {
	for t := range n.NamedChildren() {
		if t.Is("name", "qualified_name", "relative_scope") {
			return t
		}
	}
	return syntax.Node{}
}

func phpMade(c *collector, n syntax.Node) string {
	if s := c.value(created(n)); s != "" {
		return s + "()"
	}
	return unknown
}

func phpName(c *collector, n syntax.Node) string {
	switch name := c.nameText(n); name {
	case "$this":
		return this
	case "":
		return unknown
	default:
		return name
	}
}

func phpScope(c *collector, n syntax.Node) string {
	if n.Text() == "parent" {
		return super
	}
	return class
}

func phpNew(c *collector, n syntax.Node) bool {
	if s := c.value(created(n)); s != "" {
		args := 0
		for a := range n.NamedChildren() {
			if a.Kind() == "arguments" {
				args = a.NumNamed()
				a.Walk(c.visit)
			}
		}
		c.use(s, Calls, n, args)
		return false
	}
	for child := range n.NamedChildren() {
		child.Walk(c.visit)
	}
	return false
}

// phpClassConstant records A::B; A::class names A.
func phpClassConstant(c *collector, n syntax.Node) bool {
	s, name := c.chainOf(n.NamedChild(0), 4), n.NamedChild(1).Text()
	if s != unknown && name != "class" && isName(name) {
		s += "." + name
	}
	if s != unknown {
		c.use(s, Reads, n, 0)
	}
	return false
}

func phpNamespace(c *collector, n syntax.Node) bool {
	if c.facts.Package == "" {
		c.facts.Package = cut(n.ChildByField("name").Text())
	}
	if body := n.ChildByField("body"); body.Valid() {
		body.Walk(c.visit)
	}
	return false
}

// phpUse brings in names, of groups as well.
func phpUse(c *collector, n syntax.Node) bool {
	prefix := ""
	var clause func(u syntax.Node)
	clause = func(u syntax.Node) {
		switch u.Kind() {
		case "namespace_name":
			prefix = u.Text() + `\`
		case "namespace_use_group":
			for g := range u.NamedChildren() {
				clause(g)
			}
		case "namespace_use_clause", "namespace_use_group_clause":
			full := prefix + strings.TrimPrefix(u.NamedChild(0).Text(), `\`)
			i := strings.LastIndexByte(full, '\\')
			as := full[i+1:]
			if alias := u.NamedChild(u.NumNamed() - 1); u.NumNamed() > 1 {
				if alias.Kind() == "namespace_aliasing_clause" {
					alias = alias.NamedChild(0)
				}
				as = alias.Text()
			}
			c.bring(u, full, "", as, false)
		}
	}
	for u := range n.NamedChildren() {
		clause(u)
	}
	return false
}

// phpTrait makes a class's traits its bases.
func phpTrait(c *collector, n syntax.Node) bool {
	if in := c.in(); in >= 0 {
		for t := range n.NamedChildren() {
			if t.Is("name", "qualified_name") {
				c.facts.Symbols[in].addBase(c.value(t))
			}
		}
	}
	return false
}

// phpRequire brings in require 'x.php' and require __DIR__ . '/x.php'.
func phpRequire(c *collector, n syntax.Node) bool {
	var path string
	for s := range n.Find("string_content", "string_value") {
		path = s.Text()
	}
	if strings.HasSuffix(path, ".php") || strings.HasSuffix(path, ".inc") {
		c.bring(n, "./"+strings.TrimLeft(path, "./"), "*", "", false)
		if strings.Contains(path, "../") {
			c.facts.Imports[len(c.facts.Imports)-1].Module = "./" + strings.TrimLeft(path, "/")
		}
	}
	return true
}

package graph

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var ruby = grammar{
	define: defineRuby, variables: true, bareMember: true,
	table: map[string]rule{
		"method":           {does: defines, a: "name", kind: KindFunction},
		"singleton_method": {does: defines, a: "name", kind: KindFunction},
		"class":            {does: defines, named: rubyClass, kind: KindClass},
		"module":           {does: defines, named: rubyClass, kind: KindClass},

		"assignment":          {hook: rubyAssign},
		"operator_assignment": {hook: rubyAssign},
		"method_parameters":   {hook: rubyParameters},
		"block_parameters":    {hook: rubyParameters},
		"lambda_parameters":   {hook: rubyParameters},
		"exception_variable":  {hook: rubyParameters},

		"call":                     {does: invokes, a: "receiver", b: "method", c: "new", hook: rubyCall},
		"scope_resolution":         {does: paths},
		"identifier":               {does: names},
		"constant":                 {does: names},
		"instance_variable":        {does: names, chain: rubyField},
		"class_variable":           {does: names, chain: rubyField},
		"self":                     {does: special, a: this},
		"parenthesized_statements": {does: through},
		"string":                   {does: literals},
		"integer":                  {does: literals},
		"float":                    {does: literals},
		"array":                    {does: literals},
		"hash":                     {does: literals},
		"simple_symbol":            {does: literals},
		"regex":                    {does: literals},
		"alias":                    {does: ignores},
		"keyword_parameter":        {skip: "name"},
		"optional_parameter":       {skip: "name"},
		"superclass":               {},
	},
}

// rubyField makes a member of this of @name.
func rubyField(c *collector, n syntax.Node) string {
	if name := c.nameText(n); name != "" {
		return this + "." + strings.TrimLeft(name, "@")
	}
	return unknown
}

// rubyClass is the name of class A::B: its last part.
func rubyClass(c *collector, n syntax.Node) string {
	name := n.ChildByField("name")
	if name.Kind() == "scope_resolution" {
		name = name.ChildByField("name")
	}
	return c.nameText(name)
}

func defineRuby(c *collector, n syntax.Node, s *symbol) {
	s.Exported = !strings.HasPrefix(s.Name, "_")
	if b := n.ChildByField("superclass"); b.Valid() {
		s.addBase(c.value(b.NamedChild(0)))
	}
	s.Static = n.Kind() == "singleton_method"
	s.Params = int16(min(n.ChildByField("parameters").NumNamed(), 100))
}

func rubyAssign(c *collector, n syntax.Node) bool {
	left := n.ChildByField("left")
	chain := c.value(n.ChildByField("right"))
	if left.Kind() == "constant" {
		c.add(n, left.Text(), KindConstant, chain, false)
		n.ChildByField("right").Walk(c.visit)
		return false
	}
	if left.Kind() == "identifier" && !c.inFunction() {
		return true
	}
	c.bindTo(left, chain, n)
	return true
}

func rubyParameters(c *collector, n syntax.Node) bool {
	if c.inFunction() {
		c.bindNames(n, "")
	}
	return true
}

// rubyCall knows the calls that are declarations: require, include, attr_reader.
func rubyCall(c *collector, n syntax.Node) bool {
	if n.ChildByField("receiver").Valid() {
		return true
	}
	method := n.ChildByField("method").Text()
	args := n.ChildByField("arguments")
	switch method {
	case "require", "require_relative", "load", "autoload":
		module := ""
		for s := range args.Find("string_content") {
			module = s.Text()
		}
		if method == "require_relative" {
			module = "./" + module
		}
		if module != "" {
			c.bring(n, module, "*", "", false)
		}
		return false
	case "include", "extend", "prepend":
		if in := c.in(); in >= 0 && c.facts.Symbols[in].Kind.holder() {
			for a := range args.NamedChildren() {
				if s := c.value(a); s != literal && s != this {
					c.facts.Symbols[in].addBase(s)
				}
			}
		}
	case "attr_reader", "attr_accessor", "attr_writer":
		if in := c.in(); in >= 0 && c.facts.Symbols[in].Kind.holder() {
			for a := range args.NamedChildren() {
				if a.Kind() == "simple_symbol" {
					name := strings.TrimPrefix(a.Text(), ":")
					c.add(a, name, KindVariable, "", false)
				}
			}
		}
		return false
	}
	return true
}

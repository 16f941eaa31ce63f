package graph

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// javascript is also TypeScript and TSX: their grammars share the names.
var javascript = grammar{
	define: defineJavaScript, memberBinds: true, variables: true, unwrapType: scriptType,
	table: map[string]rule{
		"function_declaration":           {does: defines, a: "name", b: "return_type", kind: KindFunction},
		"generator_function_declaration": {does: defines, a: "name", kind: KindFunction},
		"function_signature":             {does: defines, a: "name", b: "return_type", kind: KindFunction},
		"method_definition":              {does: defines, a: "name", b: "return_type", kind: KindMethod, named: scriptMethod},
		"method_signature":               {does: defines, a: "name", b: "return_type", kind: KindMethod},
		"abstract_method_signature":      {does: defines, a: "name", b: "return_type", kind: KindMethod},
		"class_declaration":              {does: defines, a: "name", kind: KindClass},
		"abstract_class_declaration":     {does: defines, a: "name", kind: KindClass},
		"interface_declaration":          {does: defines, a: "name", kind: KindInterface},
		"type_alias_declaration":         {does: defines, a: "name", kind: KindType},
		"enum_declaration":               {does: defines, a: "name", kind: KindType},
		"variable_declarator":            {hook: scriptVariable},
		"pair":                           {hook: scriptPair},
		"public_field_definition":        {hook: scriptField},
		"field_definition":               {hook: scriptField},
		"property_signature":             {hook: scriptField},
		"assignment_expression":          {hook: scriptAssign},

		"required_parameter":  {hook: scriptParameter},
		"optional_parameter":  {hook: scriptParameter},
		"formal_parameters":   {hook: scriptParameters},
		"arrow_function":      {does: opens, hook: scriptArrow},
		"function_expression": {does: opens},
		"generator_function":  {does: opens},
		"class_static_block":  {does: opens},
		"catch_clause":        {hook: scriptArrow},
		"for_in_statement":    {hook: leftOnly},
		"return_statement":    {hook: returned},

		"call_expression":                       {does: callee, a: "function", hook: scriptRequire},
		"new_expression":                        {does: makes, a: "constructor"},
		"member_expression":                     {does: members, a: "object", b: "property"},
		"nested_type_identifier":                {does: members, a: "module", b: "name"},
		"nested_identifier":                     {does: members, a: "object", b: "property"},
		"identifier":                            {does: names},
		"type_identifier":                       {does: names},
		"shorthand_property_identifier":         {does: names},
		"shorthand_property_identifier_pattern": {does: names},
		"property_identifier":                   {does: names, a: "member"},
		"private_property_identifier":           {does: names, a: "member"},
		"this":                                  {does: special, a: this},
		"super":                                 {does: special, a: super},
		"generic_type":                          {does: through, a: "name"},
		"type_annotation":                       {does: through},
		"await_expression":                      {does: through},
		"parenthesized_expression":              {does: through},
		"non_null_expression":                   {does: through},
		"satisfies_expression":                  {does: through},
		"string":                                {does: literals},
		"template_string":                       {does: literals},
		"array":                                 {does: literals},
		"number":                                {does: literals},
		"regex":                                 {does: literals},
		"statement_identifier":                  {does: ignores},
		"jsx_opening_element":                   {hook: scriptElement},
		"jsx_self_closing_element":              {hook: scriptElement},
		"jsx_closing_element":                   {does: ignores},

		"import_statement": {hook: scriptImport},
		"export_statement": {hook: scriptExport},
	},
}

var scriptFunctions = []string{"arrow_function", "function_expression", "function", "generator_function"}

func defineJavaScript(c *collector, n syntax.Node, s *symbol) {
	exported := n.Parent()
	if exported.Is("lexical_declaration", "variable_declaration") {
		exported = exported.Parent()
	}
	if exported.Kind() == "export_statement" {
		s.Exported = true
		if strings.HasPrefix(exported.Text()[:min(len(exported.Text()), 40)], "export default") {
			c.facts.Imports = append(c.facts.Imports, bring{self, s.Name, "default", int32(n.Line()), -1, true})
		}
	}
	s.Declared = n.Is("function_signature", "method_signature", "abstract_method_signature")
	if in := s.Parent; in >= 0 {
		s.Exported = c.facts.Symbols[in].Exported && !strings.HasPrefix(s.Name, "_")
	}
	for h := range n.NamedChildren() {
		switch h.Kind() {
		case "class_heritage":
			for b := range h.NamedChildren() {
				switch b.Kind() {
				case "extends_clause", "implements_clause":
					for v := range b.NamedChildren() {
						s.addBase(c.value(v))
					}
				default:
					s.addBase(c.value(b))
				}
			}
		case "extends_type_clause", "extends_clause":
			for v := range h.NamedChildren() {
				s.addBase(c.value(v))
			}
		}
	}
	if p := n.ChildByField("parameters"); p.Valid() {
		s.Params = int16(min(p.NumNamed(), 100))
	}
}

// scriptType is the type within Promise<T>, T | undefined and an annotation.
func scriptType(n syntax.Node) syntax.Node {
	for range 4 {
		switch n.Kind() {
		case "type_annotation", "parenthesized_type", "union_type", "readonly_type":
			n = n.NamedChild(0)
		case "generic_type":
			if n.ChildByField("name").Text() != "Promise" {
				return n
			}
			n = n.ChildByField("type_arguments").NamedChild(0)
		default:
			return n
		}
	}
	return n
}

// scriptVariable makes a function of const f = () => ..., a holder of const o = {...}, and otherwise a variable.
func scriptVariable(c *collector, n syntax.Node) bool {
	name, v := n.ChildByField("name"), n.ChildByField("value")
	for v.Is("parenthesized_expression", "as_expression", "satisfies_expression") {
		v = v.NamedChild(0)
	}
	text := c.nameText(name)
	switch {
	case name.Kind() == "identifier" && text != "" && v.Is(scriptFunctions...):
		if s := c.add(n, text, KindFunction, c.typeOf(v.ChildByField("return_type"), 6), true); s != nil {
			s.Params = int16(min(v.ChildByField("parameters").NumNamed(), 100))
		}
	case name.Kind() == "identifier" && text != "" && v.Kind() == "class":
		c.add(n, text, KindClass, "", true)
		c.heritage(v)
	case name.Kind() == "identifier" && text != "" && v.Kind() == "object" && !c.inFunction():
		c.add(n, text, KindVariable, "", true)
	case scriptRequired(v) != "":
		c.required(n, name, v)
	default:
		chain := c.typeOf(n.ChildByField("type"), 6)
		if chain == "" {
			chain = c.value(v)
		}
		c.bindTo(name, chain, n)
	}
	return true
}

// scriptMethod is a method's name, also where it is computed: [name]() {}.
func scriptMethod(c *collector, n syntax.Node) string {
	name := n.ChildByField("name")
	if name.Kind() == "computed_property_name" {
		name = name.NamedChild(0)
	}
	if text := c.nameText(name); text != "" {
		return text
	}
	return c.nameText(name.ChildByField("property"))
}

// heritage gives the class expression's bases to the symbol that was added last.
func (c *collector) heritage(v syntax.Node) {
	for h := range v.NamedChildren() {
		if h.Kind() == "class_heritage" {
			for b := range h.NamedChildren() {
				if b.Kind() == "extends_clause" {
					b = b.NamedChild(0)
				}
				c.facts.Symbols[len(c.facts.Symbols)-1].addBase(c.value(b))
			}
		}
	}
}

// scriptPair makes methods of an object's functions.
func scriptPair(c *collector, n syntax.Node) bool {
	key := c.nameText(n.ChildByField("key"))
	if v := n.ChildByField("value"); key != "" && v.Is(scriptFunctions...) && c.in() >= 0 {
		c.add(n, key, KindFunction, "", true)
	}
	return true
}

func scriptField(c *collector, n syntax.Node) bool {
	name := c.nameText(n.ChildByField("name"))
	if name == "" {
		name = c.nameText(n.ChildByField("property"))
	}
	if v := n.ChildByField("value"); name != "" && v.Is(scriptFunctions...) {
		c.add(n, name, KindMethod, "", true)
		return true
	} else if name != "" {
		chain := c.typeOf(n.ChildByField("type"), 6)
		if chain == "" {
			chain = c.value(v)
		}
		c.field(name, chain)
	}
	return true
}

func scriptParameter(c *collector, n syntax.Node) bool {
	chain := c.typeOf(n.ChildByField("type"), 6)
	p := n.ChildByField("pattern")
	c.bindNames(p, chain)
	for m := range n.NamedChildren() { // constructor(private repo: Repo) makes a field
		if m.Is("accessibility_modifier", "override_modifier") || m.Text() == "readonly" {
			c.field(c.nameText(p), chain)
			break
		}
	}
	return true
}

func scriptParameters(c *collector, n syntax.Node) bool {
	if n.Parent().Is("function_type", "method_signature", "function_signature", "call_signature", "construct_signature") {
		return false
	}
	for p := range n.NamedChildren() {
		if !p.Is("required_parameter", "optional_parameter") {
			c.bindNames(p, "")
		}
	}
	return true
}

// scriptArrow binds x of x => ... and of catch (x).
func scriptArrow(c *collector, n syntax.Node) bool {
	if c.inFunction() {
		c.bindNames(n.ChildByField("parameter"), "")
	}
	return true
}

func scriptElement(c *collector, n syntax.Node) bool {
	name := n.ChildByField("name")
	if s := c.chainOf(name, 4); s != unknown && s == name.Text() && strings.ToLower(s[:1]) != s[:1] {
		c.use(s, Calls, n, 0)
	}
	for child := range n.NamedChildren() {
		if child != name {
			child.Walk(c.visit)
		}
	}
	return false
}

// scriptRequired is the module of require("module"), "" for anything else.
func scriptRequired(v syntax.Node) string {
	if v.Kind() != "call_expression" || v.ChildByField("function").Text() != "require" {
		return ""
	}
	if s := v.ChildByField("arguments").NamedChild(0); s.Kind() == "string" {
		return strings.Trim(s.Text(), `"'`)
	}
	return ""
}

func scriptRequire(c *collector, n syntax.Node) bool {
	module := scriptRequired(n)
	if module != "" && !slices.ContainsFunc(c.facts.Imports, func(b bring) bool { return b.Module == module }) {
		c.bring(n, module, "", "", false)
	}
	if f := n.ChildByField("function"); f.Kind() == "import" {
		c.bring(n, strings.Trim(n.ChildByField("arguments").NamedChild(0).Text(), `"'`), "", "", false)
	}
	return module == ""
}

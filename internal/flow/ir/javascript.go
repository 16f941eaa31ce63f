package ir

import "strings"

func javascriptExpr(l *lowerer, n Node) *Expr {
	field := n.ChildByField
	switch n.Kind() {
	case "identifier", "this", "super", "shorthand_property_identifier", "shorthand_property_identifier_pattern", "property_identifier",
		"private_property_identifier":
		return name(n.Text(), n)
	case "string":
		return constant(Text, unquoted(n.Text()), n)
	case "template_string":
		return l.template(n, "template_substitution", "string_fragment", "escape_sequence")
	case "number":
		return constant(Number, n.Text(), n)
	case "true", "false":
		return constant(Bool, n.Kind(), n)
	case "null", "undefined":
		return constant(Null, "", n)
	case "regex":
		return constant(Text, field("pattern").Text(), n)
	case "member_expression":
		return &Expr{Op: Member, Text: field("property").Text(), Args: []*Expr{l.e(field("object"))}, Node: n}
	case "subscript_expression":
		return &Expr{Op: Index, Args: []*Expr{l.e(field("object")), l.e(field("index"))}, Node: n}
	case "call_expression":
		if t := field("arguments"); t.Kind() == "template_string" { // sql`...`: its tag escapes
			return &Expr{Op: Call, Args: []*Expr{l.e(field("function"))}, Names: []string{""}, Node: n}
		}
		return l.called(Call, l.e(field("function")), field("arguments"), n)
	case "new_expression":
		return l.called(New, l.e(field("constructor")), field("arguments"), n)
	case "binary_expression":
		return l.binary(n)
	case "unary_expression":
		x := l.e(field("argument"))
		switch n.Operator() {
		case "!":
			return &Expr{Op: Not, Args: []*Expr{x}, Node: n}
		case "typeof":
			return &Expr{Op: Call, Args: []*Expr{name("typeof", n), x}, Names: []string{"", ""}, Node: n}
		case "-":
			if x.Op == Const {
				return constant(x.Kind, "-"+x.Text, n)
			}
		case "+":
			return &Expr{Op: Typed, Text: "number", Args: []*Expr{x}, Node: n}
		}
	case "ternary_expression":
		return &Expr{Op: Choose, Args: []*Expr{l.e(field("condition")), l.e(field("consequence")), l.e(field("alternative"))}, Node: n}
	case "parenthesized_expression", "await_expression", "as_expression", "satisfies_expression", "non_null_expression", "type_assertion",
		"instantiation_expression", "computed_property_name":
		at := 0
		if n.Kind() == "type_assertion" {
			at = n.NumNamed() - 1
		}
		return same(l.e(n.NamedChild(at)), n)
	case "sequence_expression":
		all := l.all(n)
		return all[len(all)-1]
	case "assignment_expression", "augmented_assignment_expression":
		value := l.javascriptNamed(field("right"), field("left"))
		return &Expr{Op: Set, Text: strings.TrimSuffix(n.Operator(), "="), Args: []*Expr{l.e(field("left")), value}, Node: n}
	case "array", "array_pattern":
		return &Expr{Op: List, Args: l.all(n), Node: n}
	case "object", "object_pattern":
		return l.javascriptObject(n)
	case "spread_element", "rest_pattern":
		return &Expr{Op: Spread, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
	case "assignment_pattern", "object_assignment_pattern":
		return &Expr{Op: Set, Args: []*Expr{l.e(field("left")), l.e(field("right"))}, Node: n}
	case "arrow_function", "function_expression", "function", "generator_function":
		return l.javascriptFunction(n, field("name").Text(), nil)
	case "class":
		l.javascriptClass(n, "")
		return name(field("name").Text(), n)
	case "jsx_attribute":
		if n.NumNamed() == 2 && n.NamedChild(0).Text() == "dangerouslySetInnerHTML" {
			on := &Expr{Op: Member, Text: "dangerouslySetInnerHTML", Args: []*Expr{name("jsx", n)}, Node: n}
			html := &Expr{Op: Member, Text: "__html", Args: []*Expr{l.e(n.NamedChild(1).NamedChild(0))}, Node: n}
			return &Expr{Op: Set, Args: []*Expr{on, html}, Node: n}
		}
	case "yield_expression":
		l.fn.Generator = true
		return &Expr{Op: Yield, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
	}
	return nil
}

// template is a text made of constant parts and of holes with expressions.
func (l *lowerer) template(n Node, hole string, content ...string) *Expr {
	x := &Expr{Op: Concat, Node: n}
	for c := range n.NamedChildren() {
		switch {
		case c.Kind() == hole:
			x.Args = append(x.Args, l.e(c.NamedChild(0)))
		case c.Is(content...):
			x.Args = append(x.Args, constant(Text, unescaped(c.Text()), c))
		}
	}
	if len(x.Args) == 0 {
		return constant(Text, "", n)
	}
	return x
}

func (l *lowerer) javascriptObject(n Node) *Expr {
	x := &Expr{Op: Map, Node: n}
	add := func(key string, v *Expr) { x.Args, x.Names = append(x.Args, v), append(x.Names, key) }
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "pair", "pair_pattern":
			key, k := "", c.ChildByField("key")
			if k.Is("property_identifier", "number") {
				key = k.Text()
			} else if k.Kind() == "string" {
				key = unquoted(k.Text())
			}
			add(key, l.javascriptNamed(c.ChildByField("value"), k))
		case "shorthand_property_identifier", "shorthand_property_identifier_pattern":
			add(c.Text(), name(c.Text(), c))
		case "object_assignment_pattern":
			add(c.ChildByField("left").Text(), l.e(c))
		case "spread_element", "rest_pattern":
			add("", l.e(c))
		case "method_definition":
			add(c.ChildByField("name").Text(), l.javascriptFunction(c, c.ChildByField("name").Text(), nil))
		}
	}
	return x
}

// javascriptNamed lowers a value; a function takes the name of what it is kept in.
func (l *lowerer) javascriptNamed(n, keptIn Node) *Expr {
	if n.Is("arrow_function", "function_expression", "function", "generator_function") {
		id := n.ChildByField("name").Text()
		if id == "" {
			id = last(keptIn.Text())
		}
		return l.javascriptFunction(n, id, nil)
	}
	return l.e(n)
}

func (l *lowerer) javascriptFunction(n Node, id string, decorators []*Expr) *Expr {
	f := l.function(n, id, func(f *Func) {
		f.Decorators = decorators
		for c := range n.Children() {
			f.Static = f.Static || c.Kind() == "static"
		}
		if p := n.ChildByField("parameter"); p.Valid() {
			f.Params = []Param{{Name: p.Text(), Node: p}}
		}
		for p := range n.ChildByField("parameters").NamedChildren() {
			if !p.IsComment() {
				f.Params = append(f.Params, l.javascriptParameter(p))
			}
		}
		if b := n.ChildByField("body"); b.Kind() == "statement_block" {
			f.Body = l.children(b)
		} else {
			f.Body = []*Stmt{{Op: Return, Value: l.e(b)}}
		}
	})
	return &Expr{Op: Lambda, Func: f, Node: n}
}

func (l *lowerer) javascriptParameter(n Node) Param {
	p := Param{Node: n}
	at := n
	if n.Is("required_parameter", "optional_parameter") {
		at = n.ChildByField("pattern")
		p.Type = strings.TrimSpace(strings.TrimPrefix(n.ChildByField("type").Text(), ":"))
		if v := n.ChildByField("value"); v.Valid() {
			p.Default = l.e(v)
		}
		for c := range n.NamedChildren() {
			if c.Kind() == "decorator" {
				p.Decorators = append(p.Decorators, l.e(c.NamedChild(0)))
			}
		}
	}
	if at.Kind() == "assignment_pattern" {
		p.Default = l.e(at.ChildByField("right"))
		at = at.ChildByField("left")
	}
	if at.Kind() == "rest_pattern" {
		p.Rest, at = true, at.NamedChild(0)
	}
	if at.Is("object_pattern", "array_pattern") {
		p.Pattern = l.e(at)
	} else {
		p.Name = at.Text()
	}
	return p
}

func javascriptStmt(l *lowerer, n Node) []*Stmt {
	field := n.ChildByField
	switch n.Kind() {
	case "expression_statement":
		c := n.NamedChild(0)
		if c.Is("assignment_expression", "augmented_assignment_expression") {
			return assign(l.e(c.ChildByField("left")), l.javascriptNamed(c.ChildByField("right"), c.ChildByField("left")), c.Operator())
		}
		return do(l.e(c))
	case "lexical_declaration", "variable_declaration":
		var list []*Stmt
		for d := range n.NamedChildren() {
			id, v := d.ChildByField("name"), d.ChildByField("value")
			if d.Kind() != "variable_declarator" || !id.Valid() {
				continue
			}
			s := assign(l.e(id), &Expr{Op: Const, Kind: Null, Node: d}, "=")
			if v.Valid() {
				s[0].Value = l.javascriptNamed(v, id)
			}
			s[0].Type = strings.TrimSpace(strings.TrimPrefix(d.ChildByField("type").Text(), ":"))
			list = append(list, s...)
		}
		return list
	case "function_declaration", "generator_function_declaration":
		f := l.javascriptFunction(n, field("name").Text(), nil)
		return assign(name(f.Func.Name, field("name")), f, "=")
	case "class_declaration", "abstract_class_declaration":
		return l.javascriptClass(n, field("name").Text())
	case "if_statement":
		return []*Stmt{{Op: If, Value: l.e(field("condition")), Body: l.body(field("consequence")), Else: l.children(field("alternative"))}}
	case "for_statement":
		list := l.s(field("initializer"))
		body := append(l.body(field("body")), l.s(field("increment"))...)
		return append(list, &Stmt{Op: Loop, Value: l.condition(field("condition")), Body: body})
	case "for_in_statement":
		return []*Stmt{{Op: Loop, Target: l.e(field("left")), Value: l.e(field("right")), Body: l.body(field("body"))}}
	case "while_statement":
		return []*Stmt{{Op: Loop, Value: l.e(field("condition")), Body: l.body(field("body"))}}
	case "do_statement":
		body := l.body(field("body"))
		return append(body, &Stmt{Op: Loop, Value: l.e(field("condition")), Body: body})
	case "switch_statement":
		s := &Stmt{Op: Switch, Value: l.e(field("value"))}
		for c := range field("body").NamedChildren() {
			one := Case{Through: true}
			if v := c.ChildByField("value"); v.Valid() {
				one.Values = []*Expr{l.e(v)}
			}
			for _, b := range fieldsOf(c, "body") {
				one.Body = append(one.Body, l.s(b)...)
			}
			s.Cases = append(s.Cases, one)
		}
		return []*Stmt{s}
	case "try_statement":
		s := &Stmt{Op: Try, Body: l.body(field("body")), Else: l.body(field("finalizer").ChildByField("body"))}
		if h := field("handler"); h.Valid() {
			s.Cases = []Case{{Body: l.body(h.ChildByField("body"))}}
		}
		return []*Stmt{s}
	case "return_statement":
		return []*Stmt{{Op: Return, Value: l.e(n.NamedChild(0))}}
	case "throw_statement":
		return append(l.exprs(n), &Stmt{Op: Leave})
	case "break_statement":
		return []*Stmt{{Op: Break}}
	case "continue_statement":
		return []*Stmt{{Op: Continue}}
	case "statement_block", "labeled_statement", "else_clause", "program":
		return l.children(n)
	case "export_statement":
		if d := field("declaration"); d.Valid() {
			return l.s(d)
		}
		if v := field("value"); v.Valid() {
			return do(l.javascriptNamed(v, Node{}))
		}
		return nil
	case "import_statement":
		l.javascriptImport(n)
		return nil
	case "interface_declaration", "type_alias_declaration", "ambient_declaration", "empty_statement":
		return nil
	}
	return do(l.e(n))
}

// condition is a loop's test; expression_statement wraps it in some grammars.
func (l *lowerer) condition(n Node) *Expr {
	if n.Kind() == "expression_statement" {
		n = n.NamedChild(0)
	}
	return l.e(n)
}

func (l *lowerer) javascriptClass(n Node, id string) []*Stmt {
	c := &Class{Name: id, Fields: map[string]string{}}
	for h := range n.Find("class_heritage") {
		for b := range h.Find("identifier", "type_identifier", "member_expression") {
			c.Bases = append(c.Bases, b.Text())
		}
		break
	}
	l.within(c, func() {
		var decorators []*Expr
		for m := range n.ChildByField("body").NamedChildren() {
			switch m.Kind() {
			case "decorator":
				decorators = append(decorators, l.e(m.NamedChild(0)))
				continue
			case "method_definition":
				l.javascriptMethod(m, decorators, c)
			case "field_definition", "public_field_definition":
				id := m.ChildByField("property")
				if !id.Valid() {
					id = m.ChildByField("name")
				}
				c.Fields[id.Text()] = strings.TrimSpace(strings.TrimPrefix(m.ChildByField("type").Text(), ":"))
				l.javascriptNamed(m.ChildByField("value"), id)
			}
			decorators = nil
		}
	})
	return nil
}

func (l *lowerer) javascriptMethod(m Node, decorators []*Expr, c *Class) {
	f := l.javascriptFunction(m, m.ChildByField("name").Text(), decorators).Func
	f.Class = c.Name
	if f.Name != "constructor" {
		return
	}
	for _, p := range f.Params { // constructor(private readonly users: Users) is a field, too
		if p.Node.Is("required_parameter", "optional_parameter") && firstOf(p.Node, "accessibility_modifier").Valid() {
			c.Fields[p.Name] = p.Type
			this := &Expr{Op: Member, Text: p.Name, Args: []*Expr{name("this", p.Node)}, Node: p.Node}
			f.Body = append(assign(this, name(p.Name, p.Node), "="), f.Body...)
		}
	}
}

func (l *lowerer) javascriptImport(n Node) {
	module := strings.TrimPrefix(unquoted(n.ChildByField("source").Text()), "node:")
	for clause := range n.NamedChildren() {
		if clause.Kind() != "import_clause" {
			continue
		}
		for c := range clause.NamedChildren() {
			switch c.Kind() {
			case "identifier":
				l.file.Imports[c.Text()] = module
			case "namespace_import":
				l.file.Imports[c.NamedChild(0).Text()] = module
			case "named_imports":
				for s := range c.NamedChildren() {
					full := s.ChildByField("name").Text()
					as := full
					if a := s.ChildByField("alias"); a.Valid() {
						as = a.Text()
					}
					l.file.Imports[as] = module + "." + full
				}
			}
		}
	}
}

package ir

import "strings"

func javaExpr(l *lowerer, n Node) *Expr {
	field := n.ChildByField
	switch n.Kind() {
	case "identifier", "type_identifier", "this", "super", "scoped_type_identifier", "scoped_identifier":
		return name(n.Text(), n)
	case "generic_type":
		return l.e(n.NamedChild(0))
	case "string_literal":
		return constant(Text, unquoted(n.Text()), n)
	case "character_literal":
		return constant(Text, unquoted(n.Text()), n)
	case "decimal_integer_literal", "hex_integer_literal", "decimal_floating_point_literal", "octal_integer_literal":
		return constant(Number, strings.TrimRight(n.Text(), "lLfFdD"), n)
	case "true", "false":
		return constant(Bool, n.Kind(), n)
	case "null_literal":
		return constant(Null, "", n)
	case "field_access":
		return &Expr{Op: Member, Text: field("field").Text(), Args: []*Expr{l.e(field("object"))}, Node: n}
	case "array_access":
		return &Expr{Op: Index, Args: []*Expr{l.e(field("array")), l.e(field("index"))}, Node: n}
	case "method_invocation":
		var callee *Expr
		if on := field("object"); on.Valid() {
			callee = &Expr{Op: Member, Text: field("name").Text(), Args: []*Expr{l.e(on)}, Node: n}
		} else {
			callee = name(field("name").Text(), field("name"))
		}
		return l.called(Call, callee, field("arguments"), n)
	case "object_creation_expression":
		x := l.called(New, name(typeName(field("type").Text()), field("type")), field("arguments"), n)
		if body := firstOf(n, "class_body"); body.Valid() {
			l.children(body)
		}
		return x
	case "array_creation_expression":
		if v := field("value"); v.Valid() {
			return l.e(v)
		}
		return &Expr{Op: List, Node: n}
	case "array_initializer":
		return &Expr{Op: List, Args: l.all(n), Node: n}
	case "binary_expression":
		return l.binary(n)
	case "unary_expression":
		x := l.e(field("operand"))
		if n.Operator() == "!" {
			return &Expr{Op: Not, Args: []*Expr{x}, Node: n}
		}
		if x.Op == Const && n.Operator() == "-" {
			return constant(x.Kind, "-"+x.Text, n)
		}
	case "ternary_expression":
		return &Expr{Op: Choose, Args: []*Expr{l.e(field("condition")), l.e(field("consequence")), l.e(field("alternative"))}, Node: n}
	case "cast_expression":
		return &Expr{Op: Typed, Text: typeName(field("type").Text()), Args: []*Expr{l.e(field("value"))}, Node: n}
	case "parenthesized_expression":
		return same(l.e(n.NamedChild(0)), n)
	case "assignment_expression":
		return &Expr{Op: Set, Text: n.Operator(), Args: []*Expr{l.e(field("left")), l.e(field("right"))}, Node: n}
	case "instanceof_expression":
		return &Expr{Op: Binary, Text: "instanceof", Args: []*Expr{l.e(field("left")), l.e(field("right"))}, Node: n}
	case "method_reference":
		if n.NumNamed() == 2 {
			return &Expr{Op: Member, Text: n.NamedChild(1).Text(), Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
		}
	case "lambda_expression":
		f := l.function(n, "", func(f *Func) {
			l.javaParameters(f, field("parameters"))
			if b := field("body"); b.Kind() == "block" {
				f.Body = l.children(b)
			} else {
				f.Body = []*Stmt{{Op: Return, Value: l.e(b)}}
			}
		})
		return &Expr{Op: Lambda, Func: f, Node: n}
	}
	return nil
}

// binary lowers the kinds of binary expression that all C-like grammars share.
func (l *lowerer) binary(n Node) *Expr {
	args := []*Expr{l.e(n.ChildByField("left")), l.e(n.ChildByField("right"))}
	switch op := n.Operator(); op {
	case "&&", "and":
		return &Expr{Op: Both, Args: args, Node: n}
	case "||", "??", "or", "?:":
		return &Expr{Op: Either, Args: args, Node: n}
	default:
		return &Expr{Op: Binary, Text: op, Args: args, Node: n}
	}
}

// called is a call of callee, or what makes an instance of it.
func (l *lowerer) called(op Op, callee *Expr, list, n Node) *Expr {
	x := &Expr{Op: op, Args: []*Expr{callee}, Names: []string{""}, Node: n}
	for c := range list.NamedChildren() {
		if !c.IsComment() {
			x.Args, x.Names = append(x.Args, l.e(c)), append(x.Names, "")
		}
	}
	return x
}

// typeName is a type's own name: without its package and what it is made of.
func typeName(t string) string {
	t, _, _ = strings.Cut(t, "<")
	return strings.TrimSpace(last(t))
}

func javaStmt(l *lowerer, n Node) []*Stmt {
	field := n.ChildByField
	switch n.Kind() {
	case "local_variable_declaration", "field_declaration":
		return l.javaVariables(n)
	case "expression_statement", "parenthesized_expression":
		c := n.NamedChild(0)
		if c.Kind() == "assignment_expression" {
			return assign(l.e(c.ChildByField("left")), l.e(c.ChildByField("right")), c.Operator())
		}
		return do(l.e(c))
	case "if_statement":
		return []*Stmt{{Op: If, Value: l.e(field("condition")), Body: l.body(field("consequence")), Else: l.body(field("alternative"))}}
	case "while_statement":
		return []*Stmt{{Op: Loop, Value: l.e(field("condition")), Body: l.body(field("body"))}}
	case "do_statement":
		body := l.body(field("body"))
		return append(body, &Stmt{Op: Loop, Value: l.e(field("condition")), Body: body})
	case "for_statement":
		var list []*Stmt
		for _, c := range fieldsOf(n, "init") {
			list = append(list, l.s(c)...)
		}
		body := l.body(field("body"))
		for _, c := range fieldsOf(n, "update") {
			body = append(body, l.s(c)...)
		}
		return append(list, &Stmt{Op: Loop, Value: l.e(field("condition")), Body: body})
	case "enhanced_for_statement":
		return []*Stmt{{Op: Loop, Target: name(field("name").Text(), field("name")), Value: l.e(field("value")), Body: l.body(field("body"))}}
	case "switch_expression", "switch_statement":
		return []*Stmt{l.javaSwitch(n)}
	case "try_statement", "try_with_resources_statement":
		return l.javaTry(n)
	case "return_statement":
		return []*Stmt{{Op: Return, Value: l.e(n.NamedChild(0))}}
	case "throw_statement":
		return append(l.exprs(n), &Stmt{Op: Leave})
	case "break_statement":
		return []*Stmt{{Op: Break}}
	case "continue_statement":
		return []*Stmt{{Op: Continue}}
	case "block", "constructor_body", "program", "class_body", "interface_body", "enum_body", "enum_body_declarations":
		return l.children(n)
	case "labeled_statement", "static_initializer":
		return l.children(n)
	case "synchronized_statement":
		return l.body(field("body"))
	case "method_declaration", "constructor_declaration", "compact_constructor_declaration":
		l.javaMethod(n)
		return nil
	case "class_declaration", "interface_declaration", "enum_declaration", "record_declaration":
		return l.javaClass(n)
	case "package_declaration":
		l.file.Package = n.NamedChild(n.NumNamed() - 1).Text()
		return nil
	case "import_declaration":
		full := n.NamedChild(0).Text()
		l.file.Imports[last(full)] = full
		return nil
	}
	return do(l.e(n))
}

func (l *lowerer) javaVariables(n Node) []*Stmt {
	t := typeName(n.ChildByField("type").Text())
	if strings.HasSuffix(n.ChildByField("type").Text(), "]") {
		t += "[]"
	}
	var list []*Stmt
	for _, d := range fieldsOf(n, "declarator") {
		id := d.ChildByField("name")
		if n.Kind() == "field_declaration" {
			if c := l.file.Classes[l.class]; c != nil {
				c.Fields[id.Text()] = t
			}
		}
		s := &Stmt{Op: Assign, Target: name(id.Text(), id), Type: t, Value: &Expr{Op: Const, Kind: Null, Node: d}}
		if v := d.ChildByField("value"); v.Valid() {
			s.Value = l.e(v)
		} else if n.Kind() == "field_declaration" {
			continue
		}
		list = append(list, s)
	}
	return list
}

func (l *lowerer) javaSwitch(n Node) *Stmt {
	s := &Stmt{Op: Switch, Value: l.e(n.ChildByField("condition"))}
	for group := range n.ChildByField("body").NamedChildren() {
		one := Case{Through: group.Kind() == "switch_block_statement_group"}
		for c := range group.NamedChildren() {
			switch {
			case c.Kind() == "switch_label":
				one.Values = append(one.Values, l.all(c)...)
			case !c.IsComment():
				one.Body = append(one.Body, l.body(c)...)
			}
		}
		s.Cases = append(s.Cases, one)
	}
	return s
}

func (l *lowerer) javaTry(n Node) []*Stmt {
	var list []*Stmt
	for r := range n.ChildByField("resources").NamedChildren() {
		if v := r.ChildByField("value"); v.Valid() {
			id := r.ChildByField("name")
			list = append(list, &Stmt{Op: Assign, Target: name(id.Text(), id), Type: typeName(r.ChildByField("type").Text()), Value: l.e(v)})
		}
	}
	s := &Stmt{Op: Try, Body: l.body(n.ChildByField("body"))}
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "catch_clause":
			s.Cases = append(s.Cases, Case{Body: l.body(c.ChildByField("body"))})
		case "finally_clause":
			s.Else = l.children(firstOf(c, "block"))
		}
	}
	return append(list, s)
}

func (l *lowerer) javaMethod(n Node) {
	id := n.ChildByField("name").Text()
	if n.Kind() != "method_declaration" {
		id = l.class
	}
	l.function(n, id, func(f *Func) {
		f.Class = l.class
		f.Result = typeName(n.ChildByField("type").Text())
		f.Decorators, f.Static = l.annotations(n)
		l.javaParameters(f, n.ChildByField("parameters"))
		f.Body = l.children(n.ChildByField("body"))
	})
}

// annotations gives a declaration's annotations as calls, and whether it is static.
func (l *lowerer) annotations(n Node) (list []*Expr, static bool) {
	m := firstOf(n, "modifiers")
	for c := range m.NamedChildren() {
		if c.Is("marker_annotation", "annotation") {
			list = append(list, l.called(Call, name(last(c.ChildByField("name").Text()), c), c.ChildByField("arguments"), c))
		}
	}
	for c := range m.Children() {
		static = static || c.Kind() == "static"
	}
	return list, static
}

func (l *lowerer) javaParameters(f *Func, list Node) {
	if list.Kind() == "identifier" {
		f.Params = []Param{{Name: list.Text(), Node: list}}
		return
	}
	for c := range list.NamedChildren() {
		switch c.Kind() {
		case "identifier":
			f.Params = append(f.Params, Param{Name: c.Text(), Node: c})
		case "formal_parameter":
			p := Param{Name: c.ChildByField("name").Text(), Type: strings.TrimSpace(c.ChildByField("type").Text()), Node: c}
			p.Decorators, _ = l.annotations(c)
			f.Params = append(f.Params, p)
		case "spread_parameter":
			d := firstOf(c, "variable_declarator")
			f.Params = append(f.Params, Param{Name: d.ChildByField("name").Text(), Rest: true, Node: c})
		}
	}
}

func (l *lowerer) javaClass(n Node) []*Stmt {
	c := &Class{Name: n.ChildByField("name").Text(), Fields: map[string]string{}}
	c.Decorators, _ = l.annotations(n)
	for _, f := range []string{"superclass", "interfaces"} {
		for t := range n.ChildByField(f).Find("type_identifier") {
			c.Bases = append(c.Bases, t.Text())
		}
	}
	var list []*Stmt
	l.within(c, func() { list = l.children(n.ChildByField("body")) })
	return list
}

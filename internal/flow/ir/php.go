package ir

import "strings"

func phpExpr(l *lowerer, n Node) *Expr {
	field := n.ChildByField
	switch n.Kind() {
	case "name":
		if at := n.Parent(); at.Kind() == "subscript_expression" && at.Parent().Is("encapsed_string", "heredoc_body") {
			return constant(Text, n.Text(), n) // "$list[key]"
		}
		return name(n.Text(), n)
	case "variable_name", "relative_scope":
		return name(n.Text(), n)
	case "qualified_name":
		return name(last(n.Text()), n)
	case "string", "nowdoc":
		return constant(Text, unquoted(n.Text()), n)
	case "encapsed_string", "heredoc_body", "shell_command_expression":
		x := &Expr{Op: Concat, Node: n}
		for c := range n.NamedChildren() {
			if c.Is("string_content", "escape_sequence", "string_value") {
				x.Args = append(x.Args, constant(Text, unescaped(c.Text()), c))
			} else {
				x.Args = append(x.Args, l.e(c))
			}
		}
		switch {
		case n.Kind() == "shell_command_expression":
			return &Expr{Op: Call, Args: []*Expr{name("shell_exec", n), x}, Names: []string{"", ""}, Node: n}
		case len(x.Args) == 0:
			return constant(Text, "", n)
		}
		return x
	case "heredoc":
		return l.e(field("value"))
	case "integer", "float":
		return constant(Number, n.Text(), n)
	case "boolean":
		return constant(Bool, strings.ToLower(n.Text()), n)
	case "null":
		return constant(Null, "", n)
	case "function_call_expression":
		callee := l.e(field("function"))
		if callee.Op == Name && !strings.HasPrefix(callee.Text, "$") {
			callee.Text = strings.ToLower(callee.Text)
		}
		return l.phpCall(Call, callee, field("arguments"), n)
	case "member_call_expression", "nullsafe_member_call_expression":
		return l.phpCall(Call, &Expr{Op: Member, Text: field("name").Text(), Args: []*Expr{l.e(field("object"))}, Node: n}, field("arguments"), n)
	case "scoped_call_expression":
		return l.phpCall(Call, &Expr{Op: Member, Text: field("name").Text(), Args: []*Expr{l.e(field("scope"))}, Node: n}, field("arguments"), n)
	case "object_creation_expression":
		class := firstOf(n, "name", "qualified_name", "variable_name")
		return l.phpCall(New, name(last(class.Text()), class), firstOf(n, "arguments"), n)
	case "member_access_expression", "nullsafe_member_access_expression":
		return &Expr{Op: Member, Text: field("name").Text(), Args: []*Expr{l.e(field("object"))}, Node: n}
	case "scoped_property_access_expression", "class_constant_access_expression":
		id := n.NamedChild(n.NumNamed() - 1)
		return &Expr{Op: Member, Text: strings.TrimPrefix(id.Text(), "$"), Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
	case "subscript_expression":
		x := &Expr{Op: Index, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
		if k := n.NamedChild(1); k.Valid() {
			x.Args = append(x.Args, l.e(k))
		}
		return x
	case "binary_expression":
		return l.binary(n)
	case "unary_op_expression":
		x := l.e(n.NamedChild(n.NumNamed() - 1))
		if strings.HasPrefix(n.Text(), "!") {
			return &Expr{Op: Not, Args: []*Expr{x}, Node: n}
		}
		if x.Op == Const && strings.HasPrefix(n.Text(), "-") {
			return constant(x.Kind, "-"+x.Text, n)
		}
	case "conditional_expression":
		body := field("body")
		if !body.Valid() {
			return &Expr{Op: Either, Args: []*Expr{l.e(field("condition")), l.e(field("alternative"))}, Node: n}
		}
		return &Expr{Op: Choose, Args: []*Expr{l.e(field("condition")), l.e(body), l.e(field("alternative"))}, Node: n}
	case "cast_expression":
		return &Expr{Op: Typed, Text: strings.ToLower(field("type").Text()), Args: []*Expr{l.e(field("value"))}, Node: n}
	case "assignment_expression", "augmented_assignment_expression", "reference_assignment_expression":
		return &Expr{Op: Set, Text: strings.TrimSuffix(n.Operator(), "="), Args: []*Expr{l.e(field("left")), l.e(field("right"))}, Node: n}
	case "array_creation_expression":
		return l.phpArray(n)
	case "list_literal":
		return l.phpList(n)
	case "yield_expression":
		c := n.NamedChild(0)
		if l.fn.Generator = true; c.Kind() == "array_element_initializer" {
			c = c.NamedChild(c.NumNamed() - 1)
		}
		return &Expr{Op: Yield, Args: []*Expr{l.e(c)}, Node: n}
	case "parenthesized_expression", "error_suppression_expression", "clone_expression", "argument", "by_ref", "reference_modifier":
		return same(l.e(n.NamedChild(n.NumNamed()-1)), n)
	case "variadic_unpacking":
		return &Expr{Op: Spread, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
	case "include_expression", "include_once_expression", "require_expression", "require_once_expression", "print_intrinsic":
		as := "include"
		if n.Kind() == "print_intrinsic" {
			as = "echo"
		}
		return &Expr{Op: Call, Args: []*Expr{name(as, n), l.e(n.NamedChild(0))}, Names: []string{"", ""}, Node: n}
	case "anonymous_function", "anonymous_function_creation_expression", "arrow_function":
		f := l.function(n, "", func(f *Func) {
			l.phpParameters(f, field("parameters"))
			if b := field("body"); b.Kind() == "compound_statement" {
				f.Body = l.phpBlock(b)
			} else {
				f.Body = []*Stmt{{Op: Return, Value: l.e(b)}}
			}
		})
		return &Expr{Op: Lambda, Func: f, Node: n}
	case "match_expression":
		return l.phpMatch(n)
	case "throw_expression":
		return l.parts(n)
	}
	return nil
}

func (l *lowerer) phpCall(op Op, callee *Expr, list, n Node) *Expr {
	x := &Expr{Op: op, Args: []*Expr{callee}, Names: []string{""}, Node: n}
	for c := range list.NamedChildren() {
		if c.Kind() == "argument" {
			x.Args, x.Names = append(x.Args, l.e(c.NamedChild(c.NumNamed()-1))), append(x.Names, c.ChildByField("name").Text())
		}
	}
	return x
}

func (l *lowerer) phpArray(n Node) *Expr {
	x := &Expr{Op: List, Node: n}
	for c := range n.NamedChildren() {
		if c.Kind() != "array_element_initializer" {
			continue
		}
		key := ""
		if c.NumNamed() == 2 {
			x.Op = Map
			if k := l.e(c.NamedChild(0)); k.Op == Const {
				key = k.Text
			}
		}
		x.Args, x.Names = append(x.Args, l.e(c.NamedChild(c.NumNamed()-1))), append(x.Names, key)
	}
	return x
}

// phpList is what an array is taken apart into.
func (l *lowerer) phpList(n Node) *Expr {
	x := &Expr{Op: List, Node: n}
	items := l.all(n)
	for i := 0; i < len(items); i++ {
		if items[i].Op != Const || i+1 == len(items) { // a key stands before what it goes to
			x.Args = append(x.Args, items[i])
			continue
		}
		x.Op = Map
		x.Args, x.Names = append(x.Args, items[i+1]), append(x.Names, items[i].Text)
		i++
	}
	return x
}

// phpMatch is a chain of choices.
func (l *lowerer) phpMatch(n Node) *Expr {
	subject := l.e(n.ChildByField("condition"))
	out := &Expr{Node: n}
	var arms []Node
	for c := range n.ChildByField("body").NamedChildren() {
		if c.Kind() == "match_default_expression" {
			out = l.e(c.ChildByField("return_expression"))
		} else {
			arms = append(arms, c)
		}
	}
	for i := len(arms) - 1; i >= 0; i-- {
		values := arms[i].ChildByField("conditional_expressions")
		test := &Expr{Op: Binary, Text: "==", Args: []*Expr{subject, l.e(values.NamedChild(0))}, Node: arms[i]}
		out = &Expr{Op: Choose, Args: []*Expr{test, l.e(arms[i].ChildByField("return_expression")), out}, Node: n}
	}
	return out
}

// phpBlock lowers statements; what stands after <?= is printed.
func (l *lowerer) phpBlock(n Node) []*Stmt {
	var list []*Stmt
	prints := false
	for c := range n.NamedChildren() {
		switch {
		case c.IsComment():
		case c.Kind() == "php_tag":
			prints = c.Text() == "<?="
		case c.Kind() == "text_interpolation":
			prints = strings.HasSuffix(strings.TrimSpace(c.Text()), "<?=")
		case prints && c.Kind() == "expression_statement":
			x := c.NamedChild(0)
			list = append(list, do(&Expr{Op: Call, Args: []*Expr{name("echo", x), l.e(x)}, Names: []string{"", ""}, Node: x})...)
			prints = false
		default:
			list = append(list, l.s(c)...)
		}
	}
	return list
}

func phpStmt(l *lowerer, n Node) []*Stmt {
	field := n.ChildByField
	block := func(b Node) []*Stmt {
		if b.Is("compound_statement", "colon_block") {
			return l.phpBlock(b)
		}
		return l.s(b)
	}
	switch n.Kind() {
	case "expression_statement":
		return l.phpDo(n.NamedChild(0))
	case "echo_statement":
		x := &Expr{Op: Call, Args: []*Expr{name("echo", n)}, Names: []string{""}, Node: n}
		for _, a := range l.all(n) {
			x.Args, x.Names = append(x.Args, a), append(x.Names, "")
		}
		return do(x)
	case "exit_statement":
		var list []*Stmt
		if n.NumNamed() > 0 {
			list = do(&Expr{Op: Call, Args: []*Expr{name("echo", n), l.e(n.NamedChild(0))}, Names: []string{"", ""}, Node: n})
		}
		return append(list, &Stmt{Op: Leave})
	case "if_statement", "else_if_clause":
		s := &Stmt{Op: If, Value: l.e(field("condition")), Body: block(field("body"))}
		at := s
		for _, alternative := range fieldsOf(n, "alternative") {
			if alternative.Kind() == "else_clause" {
				at.Else = block(alternative.ChildByField("body"))
				break
			}
			next := l.s(alternative)
			at.Else, at = next, next[0]
		}
		return []*Stmt{s}
	case "while_statement":
		return []*Stmt{{Op: Loop, Value: l.e(field("condition")), Body: block(field("body"))}}
	case "do_statement":
		body := block(field("body"))
		return append(body, &Stmt{Op: Loop, Value: l.e(field("condition")), Body: body})
	case "for_statement":
		list := l.s(field("initialize"))
		body := append(block(field("body")), l.s(field("update"))...)
		return append(list, &Stmt{Op: Loop, Value: l.e(field("condition")), Body: body})
	case "foreach_statement":
		target := n.NamedChild(1)
		s := &Stmt{Op: Loop, Value: l.e(n.NamedChild(0)), Body: block(field("body"))}
		if target.Kind() == "pair" {
			s.Target = &Expr{Op: List, Text: "range", Args: l.all(target), Node: target}
		} else {
			s.Target = l.e(target)
		}
		return []*Stmt{s}
	case "switch_statement":
		s := &Stmt{Op: Switch, Value: l.e(field("condition"))}
		for c := range field("body").NamedChildren() {
			one := Case{Through: true}
			if v := c.ChildByField("value"); v.Valid() {
				one.Values = []*Expr{l.e(v)}
			}
			for b := range c.NamedChildren() {
				if b.Field() != "value" && !b.IsComment() {
					one.Body = append(one.Body, l.s(b)...)
				}
			}
			s.Cases = append(s.Cases, one)
		}
		return []*Stmt{s}
	case "try_statement":
		s := &Stmt{Op: Try, Body: block(field("body"))}
		for c := range n.NamedChildren() {
			switch c.Kind() {
			case "catch_clause":
				s.Cases = append(s.Cases, Case{Body: block(c.ChildByField("body"))})
			case "finally_clause":
				s.Else = block(c.ChildByField("body"))
			}
		}
		return []*Stmt{s}
	case "return_statement":
		return []*Stmt{{Op: Return, Value: l.e(n.NamedChild(0))}}
	case "break_statement":
		return []*Stmt{{Op: Break}}
	case "continue_statement":
		return []*Stmt{{Op: Continue}}
	case "compound_statement", "colon_block", "program", "namespace_definition", "declaration_list":
		if b := field("body"); b.Valid() {
			n = b
		}
		return l.phpBlock(n)
	case "function_definition", "method_declaration":
		f := l.function(n, field("name").Text(), func(f *Func) {
			f.Class = l.class
			f.Private = firstOf(n, "visibility_modifier").Valid() && firstOf(n, "visibility_modifier").Text() != "public"
			f.Static = firstOf(n, "static_modifier").Valid()
			for a := range field("attributes").Find("attribute") {
				f.Decorators = append(f.Decorators, l.phpCall(Call, name(last(a.NamedChild(0).Text()), a), a.ChildByField("parameters"), a))
			}
			l.phpParameters(f, field("parameters"))
			f.Body = append(f.Body, l.phpBlock(field("body"))...)
		})
		if n.Kind() == "function_definition" {
			return assign(name(strings.ToLower(f.Name), field("name")), &Expr{Op: Lambda, Func: f, Node: n}, "=")
		}
		return nil
	case "class_declaration", "trait_declaration", "interface_declaration", "enum_declaration":
		l.phpClass(n)
		return nil
	case "global_declaration":
		var list []*Stmt
		for c := range n.NamedChildren() {
			list = append(list, assign(name(c.Text(), c), name("$GLOBALS."+c.Text(), c), "=")...)
		}
		return list
	case "const_declaration":
		if l.class != "" {
			return nil
		}
		var list []*Stmt
		for c := range n.Find("const_element") {
			list = append(list, assign(l.e(c.NamedChild(0)), l.e(c.NamedChild(1)), "=")...)
		}
		return list
	case "namespace_use_declaration", "text", "empty_statement", "property_declaration":
		return nil
	}
	return do(l.e(n))
}

func (l *lowerer) phpDo(c Node) []*Stmt {
	switch c.Kind() {
	case "assignment_expression", "augmented_assignment_expression", "reference_assignment_expression":
		return assign(l.e(c.ChildByField("left")), l.e(c.ChildByField("right")), c.Operator())
	case "throw_expression":
		return append(do(l.e(c)), &Stmt{Op: Leave})
	case "function_call_expression":
		if f := strings.ToLower(c.ChildByField("function").Text()); f == "die" || f == "exit" || f == "abort" {
			x := l.e(c)
			if f != "abort" {
				x.Args[0].Text = "echo"
			}
			return append(do(x), &Stmt{Op: Leave})
		}
	}
	return do(l.e(c))
}

func (l *lowerer) phpParameters(f *Func, list Node) {
	for c := range list.NamedChildren() {
		switch c.Kind() {
		case "simple_parameter", "property_promotion_parameter", "variadic_parameter":
			p := Param{Name: c.ChildByField("name").Text(), Type: last(c.ChildByField("type").Text()), Node: c}
			p.Rest = c.Kind() == "variadic_parameter"
			p.Shared = c.ChildByField("reference_modifier").Valid()
			if v := c.ChildByField("default_value"); v.Valid() {
				p.Default = l.e(v)
			}
			f.Params = append(f.Params, p)
			if c.Kind() == "property_promotion_parameter" {
				field := strings.TrimPrefix(p.Name, "$")
				if k := l.file.Classes[l.class]; k != nil {
					k.Fields[field] = p.Type
				}
				this := &Expr{Op: Member, Text: field, Args: []*Expr{name("$this", c)}, Node: c}
				f.Body = append(f.Body, assign(this, name(p.Name, c), "=")...)
			}
		}
	}
}

func (l *lowerer) phpClass(n Node) {
	c := &Class{Name: n.ChildByField("name").Text(), Fields: map[string]string{}}
	for b := range firstOf(n, "base_clause").NamedChildren() {
		c.Bases = append(c.Bases, last(b.Text()))
	}
	for p := range n.ChildByField("body").NamedChildren() {
		if p.Kind() == "property_declaration" {
			for e := range p.Find("property_element") {
				c.Fields[strings.TrimPrefix(e.NamedChild(0).Text(), "$")] = last(p.ChildByField("type").Text())
			}
		}
	}
	l.within(c, func() { l.phpBlock(n.ChildByField("body")) })
}

package ir

import (
	"strings"
)

func pythonExpr(l *lowerer, n Node) *Expr {
	field := n.ChildByField
	switch n.Kind() {
	case "identifier":
		return name(n.Text(), n)
	case "string":
		return l.pythonString(n)
	case "concatenated_string":
		return &Expr{Op: Concat, Args: l.all(n), Node: n}
	case "integer", "float":
		return constant(Number, n.Text(), n)
	case "true", "false":
		return constant(Bool, n.Kind(), n)
	case "none":
		return constant(Null, "", n)
	case "attribute":
		return &Expr{Op: Member, Text: field("attribute").Text(), Args: []*Expr{l.e(field("object"))}, Node: n}
	case "subscript":
		x := &Expr{Op: Index, Args: []*Expr{l.e(field("value"))}, Node: n}
		if k := field("subscript"); k.Valid() && k.Kind() != "slice" {
			x.Args = append(x.Args, l.e(k))
		}
		return x
	case "call":
		return l.pythonCall(n)
	case "binary_operator":
		return &Expr{Op: Binary, Text: n.Operator(), Args: []*Expr{l.e(field("left")), l.e(field("right"))}, Node: n}
	case "comparison_operator":
		if n.NumNamed() != 2 {
			return nil
		}
		a, b := n.NamedChild(0), n.NamedChild(1)
		operator := strings.Join(strings.Fields(string(n.Tree().Source()[a.End():b.Start()])), " ")
		return &Expr{Op: Binary, Text: operator, Args: []*Expr{l.e(a), l.e(b)}, Node: n}
	case "boolean_operator":
		op := Either
		if n.Operator() == "and" {
			op = Both
		}
		return &Expr{Op: op, Args: []*Expr{l.e(field("left")), l.e(field("right"))}, Node: n}
	case "not_operator":
		return &Expr{Op: Not, Args: []*Expr{l.e(field("argument"))}, Node: n}
	case "unary_operator":
		if x := l.e(field("argument")); x.Op == Const && n.Operator() == "-" {
			return constant(x.Kind, "-"+x.Text, n)
		}
	case "conditional_expression":
		if n.NumNamed() == 3 {
			return &Expr{Op: Choose, Args: []*Expr{l.e(n.NamedChild(1)), l.e(n.NamedChild(0)), l.e(n.NamedChild(2))}, Node: n}
		}
	case "list", "tuple", "set", "expression_list", "pattern_list", "tuple_pattern", "list_pattern":
		return &Expr{Op: List, Args: l.all(n), Node: n}
	case "list_splat", "dictionary_splat", "list_splat_pattern":
		return &Expr{Op: Spread, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
	case "dictionary":
		x := &Expr{Op: Map, Node: n}
		for c := range n.NamedChildren() {
			key, value := "", c
			if c.Kind() == "pair" {
				value = c.ChildByField("value")
				if k := l.e(c.ChildByField("key")); k.Op == Const {
					key = k.Text
				}
			}
			if !c.IsComment() {
				x.Args, x.Names = append(x.Args, l.e(value)), append(x.Names, key)
			}
		}
		return x
	case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
		return l.comprehension(n)
	case "pair":
		return l.e(field("value"))
	case "lambda":
		f := l.function(n, "", func(f *Func) {
			l.pythonParameters(f, field("parameters"))
			f.Body = []*Stmt{{Op: Return, Value: l.e(field("body"))}}
		})
		return &Expr{Op: Lambda, Func: f, Node: n}
	case "await", "parenthesized_expression":
		return same(l.e(n.NamedChild(0)), n)
	case "named_expression":
		return &Expr{Op: Set, Args: []*Expr{l.e(field("name")), l.e(field("value"))}, Node: n}
	case "yield":
		l.fn.Generator = true
		return &Expr{Op: Yield, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
	case "assignment":
		return &Expr{Op: Set, Args: []*Expr{l.e(field("left")), l.e(field("right"))}, Node: n}
	}
	return nil
}

func (l *lowerer) pythonString(n Node) *Expr {
	x := &Expr{Op: Concat, Node: n}
	text := &strings.Builder{}
	flush := func() {
		if text.Len() > 0 {
			x.Args = append(x.Args, constant(Text, text.String(), n))
			text.Reset()
		}
	}
	raw := strings.ContainsAny(n.NamedChild(0).Text(), "rR")
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "string_content":
			if raw {
				text.WriteString(c.Text())
			} else {
				text.WriteString(unescaped(c.Text()))
			}
		case "interpolation":
			flush()
			x.Args = append(x.Args, l.e(c.ChildByField("expression")))
		}
	}
	if len(x.Args) == 0 {
		return constant(Text, text.String(), n)
	}
	flush()
	return x
}

func (l *lowerer) pythonCall(n Node) *Expr {
	x := &Expr{Op: Call, Args: []*Expr{l.e(n.ChildByField("function"))}, Names: []string{""}, Node: n}
	list := n.ChildByField("arguments")
	if list.Kind() == "generator_expression" {
		x.Args, x.Names = append(x.Args, l.e(list)), append(x.Names, "")
		return x
	}
	for c := range list.NamedChildren() {
		switch {
		case c.IsComment():
		case c.Kind() == "keyword_argument":
			x.Args, x.Names = append(x.Args, l.e(c.ChildByField("value"))), append(x.Names, c.ChildByField("name").Text())
		case c.Kind() == "dictionary_splat":
			x.Args, x.Names = append(x.Args, l.e(c)), append(x.Names, "**")
		default:
			x.Args, x.Names = append(x.Args, l.e(c)), append(x.Names, "")
		}
	}
	return x
}

// comprehension nests one Each in the other for the clauses of a comprehension.
func (l *lowerer) comprehension(n Node) *Expr {
	body := l.e(n.ChildByField("body"))
	var clauses []*Expr
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "for_in_clause":
			clauses = append(clauses, &Expr{Op: Each, Args: []*Expr{l.e(c.ChildByField("right")), l.e(c.ChildByField("left")), nil}, Node: n})
		case "if_clause":
			if k := len(clauses); k > 0 {
				clauses[k-1].Args = append(clauses[k-1].Args, l.e(c.NamedChild(0)))
			}
		}
	}
	for i := len(clauses) - 1; i >= 0; i-- {
		clauses[i].Args[2] = body
		body = clauses[i]
	}
	return body
}

func pythonStmt(l *lowerer, n Node) []*Stmt {
	field := n.ChildByField
	switch n.Kind() {
	case "expression_statement":
		c := n.NamedChild(0)
		switch c.Kind() {
		case "assignment":
			if !c.ChildByField("right").Valid() {
				return nil
			}
			list := assign(l.e(c.ChildByField("left")), l.e(c.ChildByField("right")), "=")
			list[0].Type = c.ChildByField("type").Text()
			return list
		case "augmented_assignment":
			return assign(l.e(c.ChildByField("left")), l.e(c.ChildByField("right")), c.Operator())
		}
		return do(l.e(c))
	case "return_statement":
		return []*Stmt{{Op: Return, Value: l.e(n.NamedChild(0))}}
	case "if_statement", "elif_clause":
		s := &Stmt{Op: If, Value: l.e(field("condition")), Body: l.body(field("consequence"))}
		at := s
		for _, alternative := range fieldsOf(n, "alternative") {
			if alternative.Kind() == "else_clause" {
				at.Else = l.body(alternative.ChildByField("body"))
				break
			}
			next := l.s(alternative)
			at.Else, at = next, next[0]
		}
		return []*Stmt{s}
	case "for_statement":
		return []*Stmt{{Op: Loop, Target: l.e(field("left")), Value: l.e(field("right")), Body: l.body(field("body")),
			Else: l.body(field("alternative").ChildByField("body"))}}
	case "while_statement":
		return []*Stmt{{Op: Loop, Value: l.e(field("condition")), Body: l.body(field("body"))}}
	case "with_statement":
		return []*Stmt{{Op: Block, Body: append(l.withItems(n), l.body(field("body"))...)}}
	case "try_statement":
		s := &Stmt{Op: Try, Body: l.body(field("body"))}
		for c := range n.NamedChildren() {
			switch c.Kind() {
			case "except_clause", "except_group_clause":
				s.Cases = append(s.Cases, Case{Body: l.children(firstOf(c, "block"))})
			case "else_clause":
				s.Body = append(s.Body, l.body(c.ChildByField("body"))...)
			case "finally_clause":
				s.Else = l.children(firstOf(c, "block"))
			}
		}
		return []*Stmt{s}
	case "raise_statement":
		return append(l.exprs(n), &Stmt{Op: Leave})
	case "assert_statement":
		return []*Stmt{{Op: If, Value: l.e(n.NamedChild(0)), Else: []*Stmt{{Op: Leave}}}}
	case "break_statement":
		return []*Stmt{{Op: Break}}
	case "continue_statement":
		return []*Stmt{{Op: Continue}}
	case "match_statement":
		return []*Stmt{l.match(n)}
	case "function_definition":
		return l.pythonFunction(n, nil)
	case "class_definition":
		l.pythonClass(n, nil)
		return nil
	case "decorated_definition":
		var decorators []*Expr
		for c := range n.NamedChildren() {
			if c.Kind() == "decorator" {
				decorators = append(decorators, l.e(c.NamedChild(0)))
			}
		}
		if d := field("definition"); d.Kind() == "class_definition" {
			l.pythonClass(d, decorators)
			return nil
		} else {
			return l.pythonFunction(d, decorators)
		}
	case "import_statement", "import_from_statement", "future_import_statement":
		l.pythonImport(n)
		return nil
	case "global_statement", "nonlocal_statement", "pass_statement", "delete_statement", "type_alias_statement":
		return nil
	case "block", "module":
		return l.children(n)
	}
	return do(l.e(n))
}

// exprs lowers what stands in a statement that does nothing else with it.
func (l *lowerer) exprs(n Node) []*Stmt {
	var list []*Stmt
	for _, x := range l.all(n) {
		list = append(list, do(x)...)
	}
	return list
}

func (l *lowerer) withItems(n Node) []*Stmt {
	var list []*Stmt
	for item := range n.Find("with_item") {
		if item.Enclosing("with_statement") != n {
			continue
		}
		v := item.ChildByField("value")
		if v.Kind() == "as_pattern" {
			list = append(list, assign(l.e(v.ChildByField("alias").NamedChild(0)), l.e(v.NamedChild(0)), "=")...)
		} else {
			list = append(list, do(l.e(v))...)
		}
	}
	return list
}

func (l *lowerer) match(n Node) *Stmt {
	s := &Stmt{Op: Switch, Value: l.e(n.ChildByField("subject"))}
	for c := range n.ChildByField("body").NamedChildren() {
		if c.Kind() != "case_clause" {
			continue
		}
		one := Case{Body: l.body(c.ChildByField("consequence"))}
		for p := range c.NamedChildren() {
			if p.Kind() == "case_pattern" && p.Text() != "_" {
				one.Values = append(one.Values, l.e(p.NamedChild(0)))
			}
		}
		s.Cases = append(s.Cases, one)
	}
	return s
}

func (l *lowerer) pythonFunction(n Node, decorators []*Expr) []*Stmt {
	id := n.ChildByField("name")
	f := l.function(n, id.Text(), func(f *Func) {
		f.Decorators, f.Result = decorators, n.ChildByField("return_type").Text()
		for _, d := range decorators {
			f.Static = f.Static || d.Op == Name && d.Text == "staticmethod"
		}
		l.pythonParameters(f, n.ChildByField("parameters"))
		outer := l.class
		f.Body = l.children(n.ChildByField("body"))
		l.class = outer
	})
	return assign(name(f.Name, id), &Expr{Op: Lambda, Func: f, Node: n}, "=")
}

func (l *lowerer) pythonParameters(f *Func, list Node) {
	for c := range list.NamedChildren() {
		p := Param{Node: c}
		switch c.Kind() {
		case "identifier":
			p.Name = c.Text()
		case "default_parameter":
			p.Name, p.Default = c.ChildByField("name").Text(), l.e(c.ChildByField("value"))
		case "typed_parameter":
			p.Name, p.Type = strings.TrimLeft(c.NamedChild(0).Text(), "*"), c.ChildByField("type").Text()
			p.Rest = strings.HasPrefix(c.Text(), "*")
		case "typed_default_parameter":
			p.Name, p.Type, p.Default = c.ChildByField("name").Text(), c.ChildByField("type").Text(), l.e(c.ChildByField("value"))
		case "list_splat_pattern", "dictionary_splat_pattern":
			p.Name, p.Rest = strings.TrimLeft(c.Text(), "*"), true
		default:
			continue
		}
		f.Params = append(f.Params, p)
	}
}

func (l *lowerer) pythonClass(n Node, decorators []*Expr) {
	c := &Class{Name: n.ChildByField("name").Text(), Fields: map[string]string{}, Decorators: decorators}
	for b := range n.ChildByField("superclasses").NamedChildren() {
		if b.Is("identifier", "attribute") {
			c.Bases = append(c.Bases, b.Text())
		}
	}
	for d := range n.ChildByField("body").NamedChildren() {
		if a := d.NamedChild(0); d.Kind() == "expression_statement" && a.Kind() == "assignment" {
			c.Fields[a.ChildByField("left").Text()] = a.ChildByField("type").Text()
		}
	}
	l.within(c, func() {
		body := l.children(n.ChildByField("body"))
		for _, s := range body {
			if s.Op == Assign && s.Value.Op != Lambda { // class variables are looked up like those of the file
				l.file.Funcs[0].Body = append(l.file.Funcs[0].Body, s)
			}
		}
	})
}

func (l *lowerer) pythonImport(n Node) {
	module := n.ChildByField("module_name").Text()
	for c := range n.NamedChildren() {
		if c.Field() != "name" {
			continue
		}
		full, as := c, c.Text()
		if c.Kind() == "aliased_import" {
			full, as = c.ChildByField("name"), c.ChildByField("alias").Text()
		}
		switch {
		case module != "":
			l.file.Imports[as] = strings.TrimSuffix(module, ".") + "." + full.Text()
		case full == c: // import a.b binds a
			first, _, _ := strings.Cut(as, ".")
			l.file.Imports[first] = first
		default:
			l.file.Imports[as] = full.Text()
		}
	}
}

package ir

import (
	"regexp"
	"strings"
)

func goExpr(l *lowerer, n Node) *Expr {
	field := n.ChildByField
	switch n.Kind() {
	case "identifier", "field_identifier", "type_identifier", "package_identifier", "qualified_type":
		return name(n.Text(), n)
	case "interpreted_string_literal", "raw_string_literal", "rune_literal":
		return constant(Text, unquoted(n.Text()), n)
	case "int_literal", "float_literal":
		return constant(Number, n.Text(), n)
	case "true", "false":
		return constant(Bool, n.Kind(), n)
	case "nil":
		return constant(Null, "", n)
	case "selector_expression":
		return &Expr{Op: Member, Text: field("field").Text(), Args: []*Expr{l.e(field("operand"))}, Node: n}
	case "index_expression":
		return &Expr{Op: Index, Args: []*Expr{l.e(field("operand")), l.e(field("index"))}, Node: n}
	case "slice_expression":
		return &Expr{Op: Index, Args: []*Expr{l.e(field("operand"))}, Node: n}
	case "call_expression":
		f := field("function")
		if f.Is("slice_type", "parenthesized_type") {
			return same(l.e(field("arguments").NamedChild(0)), n)
		}
		return l.called(Call, l.e(f), field("arguments"), n)
	case "type_conversion_expression":
		return same(l.e(field("operand")), n)
	case "type_assertion_expression":
		return &Expr{Op: Typed, Text: field("type").Text(), Args: []*Expr{l.e(field("operand"))}, Node: n}
	case "composite_literal":
		return l.composite(n)
	case "literal_value":
		return l.literal(n)
	case "literal_element", "parenthesized_expression", "variadic_argument", "expression_statement":
		if n.Kind() == "variadic_argument" {
			return &Expr{Op: Spread, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
		}
		return same(l.e(n.NamedChild(0)), n)
	case "func_literal":
		f := l.function(n, "", func(f *Func) {
			l.goParameters(f, field("parameters"))
			f.Body = l.children(field("body"))
		})
		return &Expr{Op: Lambda, Func: f, Node: n}
	case "binary_expression":
		return l.binary(n)
	case "unary_expression":
		x := l.e(field("operand"))
		switch n.Operator() {
		case "!":
			return &Expr{Op: Not, Args: []*Expr{x}, Node: n}
		case "-":
			if x.Op == Const {
				return constant(x.Kind, "-"+x.Text, n)
			}
		}
		if n.Operator() == "<-" {
			return &Expr{Op: Index, Args: []*Expr{x}, Node: n}
		}
		return same(x, n)
	case "expression_list":
		if n.NumNamed() == 1 {
			return l.e(n.NamedChild(0))
		}
		return &Expr{Op: List, Args: l.all(n), Node: n}
	}
	return nil
}

func (l *lowerer) composite(n Node) *Expr {
	x := l.literal(n.ChildByField("body"))
	if t := n.ChildByField("type"); t.Is("type_identifier", "qualified_type") {
		return &Expr{Op: Typed, Text: t.Text(), Args: []*Expr{x}, Node: n}
	}
	return x
}

func (l *lowerer) literal(n Node) *Expr {
	x := &Expr{Op: List, Node: n}
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "keyed_element":
			x.Op = Map
			key := ""
			if k := c.NamedChild(0).NamedChild(0); k.Is("identifier", "field_identifier") {
				key = k.Text()
			} else if k.Is("interpreted_string_literal", "int_literal") {
				key = unquoted(k.Text())
			}
			x.Args, x.Names = append(x.Args, l.e(c.NamedChild(1))), append(x.Names, key)
		case "literal_element":
			x.Args, x.Names = append(x.Args, l.e(c)), append(x.Names, "")
		}
	}
	return x
}

func goStmt(l *lowerer, n Node) []*Stmt {
	field := n.ChildByField
	switch n.Kind() {
	case "short_var_declaration", "assignment_statement":
		return assign(l.e(field("left")), l.e(field("right")), n.Operator())
	case "var_declaration", "const_declaration", "var_spec_list":
		return l.children(n)
	case "var_spec", "const_spec":
		target := &Expr{Op: List, Node: n}
		for _, id := range fieldsOf(n, "name") {
			target.Args = append(target.Args, name(id.Text(), id))
		}
		if len(target.Args) == 1 {
			target = target.Args[0]
		}
		s := assign(target, &Expr{Op: Const, Kind: Null, Node: n}, "=")
		if v := field("value"); v.Valid() {
			s[0].Value = l.e(v)
		}
		s[0].Type = field("type").Text()
		return s
	case "if_statement":
		s := &Stmt{Op: If, Value: l.e(field("condition")), Body: l.body(field("consequence")), Else: l.body(field("alternative"))}
		return append(l.s(field("initializer")), s)
	case "for_statement":
		return l.goFor(n)
	case "expression_switch_statement", "type_switch_statement", "select_statement":
		return l.goSwitch(n)
	case "return_statement":
		if v := n.NamedChild(0); v.Valid() {
			return []*Stmt{{Op: Return, Value: l.e(v)}}
		}
		return []*Stmt{{Op: Return, Value: l.goResults(n)}}
	case "break_statement":
		return []*Stmt{{Op: Break}}
	case "continue_statement", "goto_statement":
		return []*Stmt{{Op: Continue}}
	case "go_statement", "defer_statement", "expression_statement":
		list := l.exprs(n)
		if c := n.NamedChild(0); n.Kind() == "expression_statement" && c.ChildByField("function").Is("identifier") &&
			c.ChildByField("function").Text() == "panic" {
			list = append(list, &Stmt{Op: Leave})
		}
		return list
	case "send_statement":
		on := &Expr{Op: Member, Text: "push", Args: []*Expr{l.e(field("channel"))}, Node: n}
		return do(&Expr{Op: Call, Args: []*Expr{on, l.e(field("value"))}, Names: []string{"", ""}, Node: n})
	case "block", "statement_list", "source_file", "labeled_statement":
		return l.children(n)
	case "function_declaration", "method_declaration":
		l.goFunction(n)
		return nil
	case "import_spec":
		l.goImport(n)
		return nil
	case "import_declaration", "import_spec_list":
		return l.children(n)
	case "package_clause":
		l.file.Package = n.NamedChild(0).Text()
		return nil
	case "type_declaration":
		for spec := range n.Find("type_spec") {
			c := &Class{Name: spec.ChildByField("name").Text(), Fields: map[string]string{}}
			for d := range spec.Find("field_declaration") {
				ids := fieldsOf(d, "name")
				if len(ids) == 0 {
					c.Bases = append(c.Bases, last(strings.TrimLeft(d.ChildByField("type").Text(), "*")))
				}
				for _, id := range ids {
					c.Fields[id.Text()] = d.ChildByField("type").Text()
					c.Order = append(c.Order, id.Text())
				}
			}
			l.file.Classes[c.Name] = c
		}
		return nil
	case "inc_statement", "dec_statement", "empty_statement", "fallthrough_statement":
		return nil
	}
	return do(l.e(n))
}

// goResults is what a bare return gives: the results that the function has names for.
func (l *lowerer) goResults(n Node) *Expr {
	x := &Expr{Op: List, Node: n}
	for d := range l.fn.Node.ChildByField("result").NamedChildren() {
		for _, id := range fieldsOf(d, "name") {
			x.Args = append(x.Args, name(id.Text(), n))
		}
	}
	if len(x.Args) == 1 {
		return x.Args[0]
	}
	return x
}

func (l *lowerer) goFor(n Node) []*Stmt {
	s := &Stmt{Op: Loop, Value: &Expr{Node: n}}
	var before []*Stmt
	var update []*Stmt
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "for_clause":
			before = l.s(c.ChildByField("initializer"))
			s.Value = l.e(c.ChildByField("condition"))
			update = l.s(c.ChildByField("update"))
		case "range_clause":
			s.Value = l.e(c.ChildByField("right"))
			if left := c.ChildByField("left"); left.NumNamed() == 2 { // the key says nothing but for a map
				s.Target = &Expr{Op: List, Text: "range", Args: l.all(left), Node: left}
			} else if left.Valid() {
				s.Target = &Expr{Op: List, Text: "range", Args: l.all(left), Node: left}
			}
		case "block":
		default:
			s.Value = l.e(c)
		}
	}
	s.Body = append(l.children(n.ChildByField("body")), update...)
	return append(before, s)
}

func (l *lowerer) goSwitch(n Node) []*Stmt {
	s := &Stmt{Op: Switch, Value: l.e(n.ChildByField("value"))}
	for c := range n.NamedChildren() {
		one := Case{}
		switch c.Kind() {
		case "expression_case":
			for v := range c.ChildByField("value").NamedChildren() {
				one.Values = append(one.Values, l.e(v))
			}
		case "type_case", "communication_case":
			one.Values = []*Expr{{Node: c}}
			one.Body = l.s(c.ChildByField("communication"))
		case "default_case":
		default:
			continue
		}
		for b := range c.NamedChildren() {
			if b.Field() != "value" && b.Field() != "type" && b.Field() != "communication" && !b.IsComment() {
				one.Body = append(one.Body, l.s(b)...)
			}
		}
		s.Cases = append(s.Cases, one)
	}
	if !n.ChildByField("value").Valid() { // switch { case a: ... } is a chain of ifs
		return append(l.s(n.ChildByField("initializer")), ifs(s.Cases)...)
	}
	return append(l.s(n.ChildByField("initializer")), s)
}

// ifs is a switch without a subject.
func ifs(cases []Case) []*Stmt {
	var otherwise []*Stmt
	for i := len(cases) - 1; i >= 0; i-- {
		c := cases[i]
		if len(c.Values) == 0 {
			otherwise = c.Body
			continue
		}
		test := c.Values[0]
		for _, v := range c.Values[1:] {
			test = &Expr{Op: Either, Args: []*Expr{test, v}, Node: v.Node}
		}
		otherwise = []*Stmt{{Op: If, Value: test, Body: c.Body, Else: otherwise}}
	}
	return otherwise
}

func (l *lowerer) goFunction(n Node) {
	outer := l.class
	defer func() { l.class = outer }()
	receiver := n.ChildByField("receiver")
	if receiver.Valid() {
		l.class = strings.TrimLeft(typeOf(receiver.NamedChild(0)), "*")
		l.class, _, _ = strings.Cut(l.class, "[")
	}
	l.function(n, n.ChildByField("name").Text(), func(f *Func) {
		f.Class = l.class
		if receiver.Valid() {
			p := Param{Type: typeOf(receiver.NamedChild(0)), Node: receiver}
			p.Name = receiver.NamedChild(0).ChildByField("name").Text()
			f.Params = append(f.Params, p)
		}
		l.goParameters(f, n.ChildByField("parameters"))
		f.Body = l.children(n.ChildByField("body"))
	})
}

func typeOf(n Node) string { return n.ChildByField("type").Text() }

func (l *lowerer) goParameters(f *Func, list Node) {
	for c := range list.NamedChildren() {
		switch c.Kind() {
		case "parameter_declaration":
			names := fieldsOf(c, "name")
			for _, id := range names {
				f.Params = append(f.Params, Param{Name: id.Text(), Type: typeOf(c), Node: c})
			}
			if len(names) == 0 {
				f.Params = append(f.Params, Param{Type: typeOf(c), Node: c})
			}
		case "variadic_parameter_declaration":
			f.Params = append(f.Params, Param{Name: c.ChildByField("name").Text(), Rest: true, Node: c})
		}
	}
}

var goVersion = regexp.MustCompile(`/v\d+$|\.v\d+$`)

func (l *lowerer) goImport(n Node) {
	full := goVersion.ReplaceAllString(unquoted(n.ChildByField("path").Text()), "")
	base := last(strings.ReplaceAll(full, ".", "_"))
	base = full[len(full)-len(base):]
	if full == "text/template" {
		base = "texttemplate" // which escapes nothing
	}
	as := strings.TrimPrefix(last(full), "go-")
	if id := n.ChildByField("name"); id.Valid() {
		as = id.Text()
	}
	l.file.Imports[as] = base
}

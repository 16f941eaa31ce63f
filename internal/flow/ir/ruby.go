package ir

import "strings"

func rubyExpr(l *lowerer, n Node) *Expr {
	field := n.ChildByField
	switch n.Kind() {
	case "instance_variable":
		return &Expr{Op: Member, Text: strings.TrimLeft(n.Text(), "@"), Args: []*Expr{name("self", n)}, Node: n}
	case "yield":
		return &Expr{Op: Yield, Args: l.all(n.NamedChild(0)), Node: n}
	case "identifier", "class_variable", "global_variable", "constant", "self", "super":
		return name(n.Text(), n)
	case "scope_resolution":
		return name(strings.ReplaceAll(n.Text(), "::", "."), n)
	case "string", "bare_string", "subshell", "heredoc_body", "delimited_symbol", "regex":
		x := l.template(n, "interpolation", "string_content", "escape_sequence", "heredoc_content")
		if n.Kind() == "subshell" {
			return &Expr{Op: Call, Args: []*Expr{name("%x", n), x}, Names: []string{"", ""}, Node: n}
		}
		return x
	case "chained_string":
		return &Expr{Op: Concat, Args: l.all(n), Node: n}
	case "heredoc_beginning":
		return l.heredoc(n)
	case "simple_symbol", "hash_key_symbol":
		return constant(Text, strings.TrimPrefix(n.Text(), ":"), n)
	case "integer", "float":
		return constant(Number, n.Text(), n)
	case "true", "false":
		return constant(Bool, n.Kind(), n)
	case "nil":
		return constant(Null, "", n)
	case "call", "method_call", "command_call":
		return l.rubyCall(n)
	case "element_reference":
		x := &Expr{Op: Index, Args: []*Expr{l.e(field("object"))}, Node: n}
		if k := n.NamedChild(1); k.Valid() {
			x.Args = append(x.Args, l.e(k))
		}
		return x
	case "array", "string_array", "symbol_array", "left_assignment_list", "right_assignment_list":
		return &Expr{Op: List, Args: l.all(n), Node: n}
	case "hash":
		return l.rubyHash(n)
	case "binary":
		if n.Operator() == "<<" {
			on := &Expr{Op: Member, Text: "<<", Args: []*Expr{l.e(field("left"))}, Node: n}
			return &Expr{Op: Call, Args: []*Expr{on, l.e(field("right"))}, Names: []string{"", ""}, Node: n}
		}
		return l.binary(n)
	case "unary":
		if n.Operator() == "!" || n.Operator() == "not" {
			return &Expr{Op: Not, Args: []*Expr{l.e(field("operand"))}, Node: n}
		}
		x := l.e(field("operand"))
		if x.Op == Const && x.Kind == Number && strings.HasPrefix(n.Text(), "-") {
			return constant(Number, "-"+x.Text, n)
		}
		return same(x, n)
	case "conditional":
		return &Expr{Op: Choose, Args: []*Expr{l.e(field("condition")), l.e(field("consequence")), l.e(field("alternative"))}, Node: n}
	case "parenthesized_statements":
		if n.NumNamed() == 1 {
			return same(l.e(n.NamedChild(0)), n)
		}
	case "assignment", "operator_assignment":
		return &Expr{Op: Set, Text: strings.TrimSuffix(n.Operator(), "="), Args: []*Expr{l.rubyTarget(field("left")),
			l.e(field("right"))}, Node: n}
	case "block_argument":
		if to := n.NamedChild(0); to.Kind() == "simple_symbol" { // &:upcase
			f := l.function(n, "", func(f *Func) {
				f.Params = []Param{{Name: "it", Node: n}}
				on := &Expr{Op: Member, Text: strings.TrimPrefix(to.Text(), ":"), Args: []*Expr{name("it", to)}, Node: n}
				f.Body = []*Stmt{{Op: Return, Value: &Expr{Op: Call, Args: []*Expr{on}, Names: []string{""}, Node: n}}}
			})
			return &Expr{Op: Lambda, Func: f, Node: n}
		}
		return same(l.e(n.NamedChild(0)), n)
	case "splat_argument", "hash_splat_argument", "rest_assignment":
		return &Expr{Op: Spread, Args: []*Expr{l.e(n.NamedChild(0))}, Node: n}
	case "lambda":
		return l.rubyBlock(n.ChildByField("body"), n)
	case "if", "unless":
		test, a, b := l.e(field("condition")), l.rubyLast(field("consequence")), l.rubyLast(field("alternative"))
		if n.Kind() == "unless" {
			a, b = b, a
		}
		return &Expr{Op: Choose, Args: []*Expr{test, a, b}, Node: n}
	case "case":
		return l.rubyCase(n)
	case "then", "else", "begin", "body_statement":
		return l.rubyLast(n)
	}
	return nil
}

// rubyTarget is what an assignment assigns to: object.field = value is no call.
func (l *lowerer) rubyTarget(n Node) *Expr {
	if on := n.ChildByField("receiver"); n.Kind() == "call" && on.Valid() {
		return &Expr{Op: Member, Text: n.ChildByField("method").Text(), Args: []*Expr{l.e(on)}, Node: n}
	}
	return l.e(n)
}

// rubyCase is a case that gives a value: a chain of choices.
func (l *lowerer) rubyCase(n Node) *Expr {
	subject := l.e(n.ChildByField("value"))
	out := constant(Null, "", n)
	var whens []Node
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "when":
			whens = append(whens, c)
		case "else":
			out = l.rubyLast(c)
		}
	}
	for i := len(whens) - 1; i >= 0; i-- {
		test := &Expr{Node: whens[i]}
		for _, p := range fieldsOf(whens[i], "pattern") {
			one := &Expr{Op: Binary, Text: "==", Args: []*Expr{subject, l.e(p.NamedChild(0))}, Node: p}
			if test.Op == Unknown {
				test = one
			} else {
				test = &Expr{Op: Either, Args: []*Expr{test, one}, Node: p}
			}
		}
		out = &Expr{Op: Choose, Args: []*Expr{test, l.rubyLast(whens[i].ChildByField("body")), out}, Node: n}
	}
	return out
}

// rubyLast is the value of some statements: that of the last.
func (l *lowerer) rubyLast(n Node) *Expr {
	if k := n.NumNamed(); k > 0 {
		return l.e(n.NamedChild(k - 1))
	}
	return &Expr{Op: Const, Kind: Null, Node: n}
}

// heredoc finds the body of a here document, which stands after the statement that begins it.
func (l *lowerer) heredoc(n Node) *Expr {
	for at := n; at.Valid(); at = at.Parent() {
		for next := at.NextSibling(); next.Valid(); next = next.NextSibling() {
			if next.Kind() == "heredoc_body" {
				return l.e(next)
			}
		}
	}
	return &Expr{Node: n}
}

func (l *lowerer) rubyCall(n Node) *Expr {
	var callee *Expr
	m := n.ChildByField("method")
	if on := n.ChildByField("receiver"); on.Valid() && on.Kind() != "self" {
		callee = &Expr{Op: Member, Text: m.Text(), Args: []*Expr{l.e(on)}, Node: n}
	} else {
		callee = name(m.Text(), m)
	}
	if !m.Valid() { // f.(x)
		callee.Text = "call"
	}
	x := &Expr{Op: Call, Args: []*Expr{callee}, Names: []string{""}, Node: n}
	switch {
	case m.Text() != "new":
	case callee.Op == Member:
		x.Op, x.Args[0] = New, callee.Args[0]
	case l.class != "":
		x.Op, x.Args[0] = New, name(l.class, m)
	}
	for c := range n.ChildByField("arguments").NamedChildren() {
		switch {
		case c.IsComment():
		case c.Kind() == "pair":
			key := strings.Trim(c.ChildByField("key").Text(), `:"'`)
			v := c.ChildByField("value")
			if !v.Valid() {
				v = c.ChildByField("key")
			}
			x.Args, x.Names = append(x.Args, l.e(v)), append(x.Names, key)
		default:
			x.Args, x.Names = append(x.Args, l.e(c)), append(x.Names, "")
		}
	}
	if b := n.ChildByField("block"); b.Valid() {
		x.Args, x.Names = append(x.Args, l.rubyBlock(b, b)), append(x.Names, "")
	}
	return x
}

// rubyBlock is a block as a closure. Sinatra's routes are blocks.
func (l *lowerer) rubyBlock(b, n Node) *Expr {
	f := l.function(n, "", func(f *Func) {
		list := b.ChildByField("parameters")
		if !list.Valid() {
			list = n.ChildByField("parameters")
		}
		l.rubyParameters(f, list)
		body := b.ChildByField("body")
		if !body.Valid() {
			body = b
		}
		f.Body = l.rubyBody(body)
	})
	return &Expr{Op: Lambda, Func: f, Node: n}
}

func (l *lowerer) rubyHash(n Node) *Expr {
	x := &Expr{Op: Map, Node: n}
	for c := range n.NamedChildren() {
		key, v := "", c
		if c.Kind() == "pair" {
			if k := c.ChildByField("key"); k.Is("hash_key_symbol", "simple_symbol", "string", "integer") {
				key = strings.Trim(k.Text(), `:"'`)
			}
			if v = c.ChildByField("value"); !v.Valid() {
				v = c.ChildByField("key")
			}
		}
		x.Args, x.Names = append(x.Args, l.e(v)), append(x.Names, key)
	}
	return x
}

func rubyStmt(l *lowerer, n Node) []*Stmt {
	field := n.ChildByField
	switch n.Kind() {
	case "assignment", "operator_assignment":
		return assign(l.rubyTarget(field("left")), l.e(field("right")), n.Operator())
	case "if", "elsif", "unless":
		s := &Stmt{Op: If, Value: l.e(field("condition")), Body: l.body(field("consequence")), Else: l.body(field("alternative"))}
		if n.Kind() == "unless" {
			s.Value = &Expr{Op: Not, Args: []*Expr{s.Value}, Node: n}
		}
		return []*Stmt{s}
	case "if_modifier", "unless_modifier":
		s := &Stmt{Op: If, Value: l.e(field("condition")), Body: l.s(field("body"))}
		if n.Kind() == "unless_modifier" {
			s.Value = &Expr{Op: Not, Args: []*Expr{s.Value}, Node: n}
		}
		return []*Stmt{s}
	case "while", "until", "while_modifier", "until_modifier":
		return []*Stmt{{Op: Loop, Value: l.e(field("condition")), Body: l.body(field("body"))}}
	case "for":
		return []*Stmt{{Op: Loop, Target: l.e(field("pattern")), Value: l.e(field("value").NamedChild(0)), Body: l.body(field("body"))}}
	case "case":
		s := &Stmt{Op: Switch, Value: l.e(field("value"))}
		for c := range n.NamedChildren() {
			switch c.Kind() {
			case "when":
				one := Case{Body: l.body(c.ChildByField("body"))}
				for _, p := range fieldsOf(c, "pattern") {
					one.Values = append(one.Values, l.e(p.NamedChild(0)))
				}
				s.Cases = append(s.Cases, one)
			case "else":
				s.Cases = append(s.Cases, Case{Body: l.children(c)})
			}
		}
		return []*Stmt{s}
	case "begin", "body_statement":
		return l.rubyBegin(n)
	case "return":
		return []*Stmt{{Op: Return, Value: l.e(n.NamedChild(0).NamedChild(0))}}
	case "break":
		return []*Stmt{{Op: Break}}
	case "next":
		return []*Stmt{{Op: Continue}}
	case "method", "singleton_method":
		l.function(n, field("name").Text(), func(f *Func) {
			f.Class = l.class
			f.Static = n.Kind() == "singleton_method"
			l.rubyParameters(f, field("parameters"))
			f.Body = l.rubyBody(field("body"))
		})
		return nil
	case "class", "module", "singleton_class":
		c := &Class{Name: strings.ReplaceAll(field("name").Text(), "::", "."), Fields: map[string]string{}}
		if s := field("superclass"); s.Valid() {
			c.Bases = append(c.Bases, strings.ReplaceAll(s.NamedChild(0).Text(), "::", "."))
		}
		var list []*Stmt
		l.within(c, func() { list = l.rubyMembers(c, field("body")) })
		return list
	case "then", "else", "do", "program", "block_body":
		return l.children(n)
	case "heredoc_body", "alias", "undef":
		return nil
	case "call":
		list := do(l.e(n))
		if m := field("method").Text(); !field("receiver").Valid() && (m == "raise" || m == "halt" || m == "head") {
			list = append(list, &Stmt{Op: Leave})
		}
		return list
	}
	return do(l.e(n))
}

// rubyMembers lowers what stands in a class, and notes what it includes and which fields it has.
func (l *lowerer) rubyMembers(c *Class, body Node) []*Stmt {
	for call := range body.NamedChildren() {
		m := call.ChildByField("method").Text()
		for a := range call.ChildByField("arguments").NamedChildren() {
			switch {
			case m == "include" || m == "extend" || m == "prepend":
				c.Bases = append(c.Bases, strings.ReplaceAll(a.Text(), "::", "."))
			case strings.HasPrefix(m, "attr_"):
				c.Fields[strings.TrimPrefix(a.Text(), ":")] = "string"
			}
		}
	}
	return l.children(body)
}

// rubyBegin lowers statements with their rescue and ensure.
func (l *lowerer) rubyBegin(n Node) []*Stmt {
	s := &Stmt{Op: Try}
	for c := range n.NamedChildren() {
		switch c.Kind() {
		case "rescue":
			s.Cases = append(s.Cases, Case{Body: l.body(c.ChildByField("body"))})
		case "ensure":
			s.Else = l.children(c)
		case "else":
			s.Body = append(s.Body, l.children(c)...)
		default:
			if !c.IsComment() {
				s.Body = append(s.Body, l.s(c)...)
			}
		}
	}
	if len(s.Cases) == 0 && len(s.Else) == 0 {
		return s.Body
	}
	return []*Stmt{s}
}

// rubyBody lowers a method's body: its last expression is its result.
func (l *lowerer) rubyBody(n Node) []*Stmt {
	var list []*Stmt
	if n.Is("do_block", "block", "then") {
		list = l.children(n)
	} else {
		list = l.s(n)
	}
	giveLast(list)
	return list
}

func giveLast(list []*Stmt) {
	if len(list) == 0 {
		return
	}
	switch s := list[len(list)-1]; s.Op {
	case Do:
		s.Op = Return
	case If:
		giveLast(s.Body)
		giveLast(s.Else)
	case Switch:
		for _, c := range s.Cases {
			giveLast(c.Body)
		}
	case Try:
		giveLast(s.Body)
	}
}

func (l *lowerer) rubyParameters(f *Func, list Node) {
	for c := range list.NamedChildren() {
		p := Param{Name: c.Text(), Node: c}
		if id := c.ChildByField("name"); id.Valid() {
			p.Name = id.Text()
		}
		if v := c.ChildByField("value"); v.Valid() {
			p.Default = l.e(v)
		}
		p.Rest = c.Is("splat_parameter", "hash_splat_parameter")
		f.Params = append(f.Params, p)
	}
}

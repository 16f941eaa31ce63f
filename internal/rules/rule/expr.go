package rule

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// IsCall tells whether n is a call.
func (p *Pass) IsCall(n syntax.Node) bool { return slices.Contains(p.grammar.calls, n.Kind()) }

// Callee is the dotted name of what a call calls or an object creation creates, as written: "os.path.join",
// "db.query", "Runtime.getRuntime.exec", "$pdo.query", "DB.raw". A receiver that is itself a call contributes its
// callee; one that is neither name, member nor call (a string, an index) contributes "?", so that "?.join" still tells
// the method. "" for any other node.
func (p *Pass) Callee(n syntax.Node) string {
	switch {
	case slices.Contains(p.grammar.calls, n.Kind()):
		return p.calleeOf(n, 0)
	case slices.Contains(p.grammar.news, n.Kind()):
		for _, field := range []string{"constructor", "type"} {
			if t := n.ChildByField(field); t.Valid() {
				return typeName(t.Text())
			}
		}
		for c := range n.NamedChildren() { // PHP gives the class no field
			return typeName(c.Text())
		}
	}
	return ""
}

func typeName(s string) string {
	s, _, _ = strings.Cut(s, "<")
	return strings.TrimPrefix(strings.TrimSpace(s), "\\")
}

// Method is the last part of Callee: "execute" for "self.db.cursor.execute".
func (p *Pass) Method(call syntax.Node) string { return LastName(p.Callee(call)) }

// LastName is what follows the last dot of a dotted name.
func LastName(dotted string) string { return dotted[strings.LastIndexByte(dotted, '.')+1:] }

const nameDepth = 40 // a chain of calls longer than this is generated code

func (p *Pass) calleeOf(call syntax.Node, depth int) string {
	var parts []string
	for _, field := range p.grammar.callee {
		if c := call.ChildByField(field); c.Valid() {
			parts = append(parts, p.dotted(c, depth+1))
		}
	}
	if len(p.grammar.callee) == 0 && call.NumNamed() > 0 { // Kotlin has no fields
		return p.dotted(call.NamedChild(0), depth+1)
	}
	return strings.Join(parts, ".")
}

// Dotted is the dotted name of an expression made of names, member accesses and calls: "request.args.get". Other parts
// become "?".
func (p *Pass) Dotted(n syntax.Node) string { return p.dotted(n, 0) }

func (p *Pass) dotted(n syntax.Node, depth int) string {
	if !n.Valid() || depth > nameDepth {
		return "?"
	}
	kind := n.Kind()
	if f, ok := p.grammar.members[kind]; ok {
		if f[0] == "" {
			return strings.ReplaceAll(n.Text(), "::", ".")
		}
		left := "?"
		if o := n.ChildByField(f[0]); o.Valid() {
			left = p.dotted(o, depth+1)
		}
		return left + "." + n.ChildByField(f[1]).Text()
	}
	if slices.Contains(p.grammar.calls, kind) {
		return p.calleeOf(n, depth+1)
	}
	switch kind {
	case "navigation_expression": // Kotlin
		return p.dotted(n.NamedChild(0), depth+1) + "." + n.NamedChild(n.NumNamed()-1).Text()
	case "generic_function": // Rust: f::<T>
		return p.dotted(n.ChildByField("function"), depth+1)
	case "identifier", "property_identifier", "field_identifier", "private_property_identifier", "variable_name", "name",
		"qualified_name", "constant", "this", "self", "super", "type_identifier", "scoped_type_identifier", "relative_scope",
		"instance_variable", "class_variable", "global_variable", "import", "package_identifier", "predefined_type":
		return strings.TrimPrefix(n.Text(), "\\")
	case "parenthesized_expression", "non_null_expression", "await", "await_expression":
		if n.NumNamed() == 1 {
			return p.dotted(n.NamedChild(0), depth+1)
		}
	}
	return "?"
}

// Args gives a call's positional argument expressions. Keyword arguments are left out where the language has them;
// comments always.
func (p *Pass) Args(call syntax.Node) []syntax.Node {
	list := call.ChildByField("arguments")
	if !list.Valid() {
		for c := range call.NamedChildren() {
			if k := c.Kind(); OneOf(k, "arguments", "argument_list", "value_arguments") {
				list = c
			}
		}
	}
	if !list.Valid() {
		return nil
	}
	if k := list.Kind(); p.Language == "python" && k == "generator_expression" || k == "template_string" {
		return []syntax.Node{list}
	}
	var args []syntax.Node
	for c := range list.NamedChildren() {
		switch c.Kind() {
		case "comment", "line_comment", "block_comment", "keyword_argument":
			continue
		case "pair":
			if p.Language == "ruby" {
				continue
			}
		case "value_argument": // Kotlin: a second child is the value of a named one
			if c.NumNamed() != 1 {
				continue
			}
			c = c.NamedChild(0)
		case "argument": // PHP and C# wrap; the value comes last, after a possible name
			if c.ChildByField("name").Valid() {
				continue
			}
			if k := c.NumNamed(); k > 0 {
				c = c.NamedChild(k - 1)
			}
		}
		args = append(args, c)
	}
	return args
}

// Arg is the i-th positional argument, the zero Node when there are fewer.
func (p *Pass) Arg(call syntax.Node, i int) syntax.Node {
	if args := p.Args(call); i < len(args) {
		return args[i]
	}
	return syntax.Node{}
}

// Keyword is the value of the named argument (Python, PHP) or of the trailing hash entry (Ruby) of a call, the zero
// Node when absent.
func (p *Pass) Keyword(call syntax.Node, name string) syntax.Node {
	list := call.ChildByField("arguments")
	if !list.Valid() {
		return list
	}
	for c := range list.NamedChildren() {
		switch c.Kind() {
		case "keyword_argument":
			if c.ChildByField("name").Text() == name {
				return c.ChildByField("value")
			}
		case "pair":
			if strings.Trim(c.ChildByField("key").Text(), `:"'`) == name {
				return c.ChildByField("value")
			}
		case "argument":
			if f := c.ChildByField("name"); f.Valid() && f.Text() == name && c.NumNamed() > 0 {
				return c.NamedChild(c.NumNamed() - 1)
			}
		}
	}
	return syntax.Node{}
}

// IsString tells whether n is a string literal, interpolated or not.
func (p *Pass) IsString(n syntax.Node) bool {
	return n.Valid() && n.Named() && slices.Contains(p.grammar.strings, n.Kind())
}

// String is the text of a string literal without prefix and quotes, escapes left as written. Interpolated parts are
// left out and reported. ok is false when n is no string literal.
func (p *Pass) String(n syntax.Node) (value string, interpolated, ok bool) {
	if !p.IsString(n) {
		return "", false, false
	}
	if len(p.grammar.content) == 0 {
		return trimQuotes(n.Text(), p.grammar.prefixes), false, true
	}
	var b strings.Builder
	pieces := 0
	n.Walk(func(c syntax.Node) bool {
		if c == n {
			return true
		}
		switch k := c.Kind(); {
		case slices.Contains(p.grammar.holes, k) && c.Named():
			interpolated = true
			return false
		case slices.Contains(p.grammar.content, k):
			pieces++
			b.WriteString(c.Text())
			return false
		}
		return true
	})
	if pieces == 0 && !interpolated {
		return trimQuotes(n.Text(), p.grammar.prefixes), false, true
	}
	return b.String(), interpolated, true
}

func trimQuotes(s, prefixes string) string {
	s = strings.TrimLeft(s, prefixes)
	for _, q := range []string{`"""`, `'''`, `"`, `'`, "`"} {
		if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
			return s[len(q) : len(s)-len(q)]
		}
	}
	return s
}

// Constant tells whether n is built from literals alone. A name in capitals counts as constant: by convention it is.
func (p *Pass) Constant(n syntax.Node) bool {
	if !n.Valid() {
		return false
	}
	kind := n.Kind()
	if p.IsString(n) {
		constant := true
		n.Walk(func(c syntax.Node) bool {
			if c != n && c.Named() && slices.Contains(p.grammar.holes, c.Kind()) {
				if !strings.Contains(c.Kind(), "interpolation") && c.Kind() != "template_substitution" { // PHP: the expression itself
					constant = constant && p.Constant(c)
					return false
				}
				for e := range c.NamedChildren() {
					constant = constant && p.Constant(e)
				}
				constant = constant && c.NumNamed() > 0
				return false
			}
			return true
		})
		return constant
	}
	if slices.Contains(p.grammar.literals, kind) {
		return true
	}
	if slices.Contains(p.grammar.names, kind) || kind == "constant" {
		return isUpper(n.Text())
	}
	if f, ok := p.grammar.members[kind]; ok && f[1] != "" {
		return isUpper(n.ChildByField(f[1]).Text())
	}
	if slices.Contains(p.grammar.containers, kind) {
		for c := range n.NamedChildren() {
			if c.Kind() != "comment" && !p.Constant(c) {
				return false
			}
		}
		return true
	}
	return false
}

func isUpper(s string) bool {
	return len(s) > 1 && s == strings.ToUpper(s) && strings.ContainsAny(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && !strings.HasPrefix(s, "$_")
}

// Function is the innermost function around n, the zero Node at the top level.
func (p *Pass) Function(n syntax.Node) syntax.Node { return n.Enclosing(p.grammar.functions...) }

// Scope is the innermost function around n, or the whole file.
func (p *Pass) Scope(n syntax.Node) syntax.Node {
	if f := p.Function(n); f.Valid() {
		return f
	}
	return p.Tree.Root()
}

// ScopeHas tells whether the function around n, or else the file, holds what the pattern matches. It is looked up once a scope.
func (p *Pass) ScopeHas(n syntax.Node, pattern *regexp.Regexp) bool {
	return p.holds(p.Scope(n), pattern)
}

// FileHas tells whether the file holds what the pattern matches. It is looked up once.
func (p *Pass) FileHas(pattern *regexp.Regexp) bool { return p.holds(p.Tree.Root(), pattern) }

func (p *Pass) holds(n syntax.Node, pattern *regexp.Regexp) bool {
	return MemoOf(p, "rule.holds."+pattern.String(), n, func() bool { return pattern.MatchString(n.Text()) })
}

// Class is the innermost class around n, the zero Node outside of one.
func (p *Pass) Class(n syntax.Node) syntax.Node { return n.Enclosing(p.grammar.classes...) }

// Names gives the variable names that occur in n, each once, in source order.
func (p *Pass) Names(n syntax.Node) []string {
	var names []string
	n.Walk(func(c syntax.Node) bool {
		if slices.Contains(p.grammar.names, c.Kind()) && !slices.Contains(names, c.Text()) {
			names = append(names, c.Text())
		}
		return true
	})
	return names
}

// IsName tells whether n is a plain variable name.
func (p *Pass) IsName(n syntax.Node) bool {
	return n.Valid() && slices.Contains(p.grammar.names, n.Kind())
}

// Assignments gives every assignment in n, n's own nested functions included, as pairs of target and value in source
// order. Parallel assignments of equal length are split.
func (p *Pass) Assignments(n syntax.Node) []Assignment {
	return MemoOf(p, "rule.assignments", n, func() []Assignment {
		var all []Assignment
		n.Walk(func(c syntax.Node) bool {
			if f, ok := p.grammar.assigns[c.Kind()]; ok && c.Named() {
				all = append(all, p.split(c, f)...)
			}
			return true
		})
		return slices.Clip(all)
	})
}

// Given gives the assignments in n to what is written as target.
func (p *Pass) Given(n syntax.Node, target string) []Assignment {
	return MemoOf(p, "rule.given", n, func() map[string][]Assignment {
		by := map[string][]Assignment{}
		for _, a := range p.Assignments(n) {
			by[a.Target.Text()] = append(by[a.Target.Text()], a)
		}
		return by
	})[target]
}

// Assignment is one target that is given one value.
type Assignment struct {
	Node      syntax.Node // the whole statement or expression
	Target    syntax.Node
	Value     syntax.Node
	Augmented bool // the value is added to the old one
}

func (p *Pass) split(n syntax.Node, f [2]string) []Assignment {
	target, value := n.ChildByField(f[0]), n.ChildByField(f[1])
	if f[1] == "" && n.NumNamed() > 0 {
		value = n.NamedChild(0)
	}
	if !target.Valid() || !value.Valid() || target == value {
		return nil
	}
	aug := slices.Contains(p.grammar.augmented, n.Kind())
	if op := n.ChildByField("operator"); op.Valid() && op.Text() != "=" && op.Text() != ":=" {
		aug = true
	}
	list := func(k string) bool {
		return OneOf(k, "expression_list", "pattern_list", "tuple_pattern", "tuple", "left_assignment_list", "right_assignment_list")
	}
	if list(target.Kind()) && (target.NumNamed() == 1 && !list(value.Kind())) {
		return []Assignment{{n, target.NamedChild(0), value, aug}}
	}
	if list(target.Kind()) && list(value.Kind()) && target.NumNamed() == value.NumNamed() {
		var all []Assignment
		for i := range target.NumNamed() {
			all = append(all, Assignment{n, target.NamedChild(i), value.NamedChild(i), aug})
		}
		return all
	}
	return []Assignment{{n, target, value, aug}}
}

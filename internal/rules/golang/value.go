package golang

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// constants are the names the file declares const, at any level.
func constants(p *rule.Pass) map[string]bool {
	return rule.Memo(p, "go.constants", func() map[string]bool {
		names := map[string]bool{}
		for _, spec := range p.Nodes("const_spec") {
			for _, c := range specNames(spec) {
				names[c.Text()] = true
			}
		}
		return names
	})
}

// constant tells whether n has the same value on every run, as far as this file
// shows. An exported name of another package counts as constant: the file
// cannot prove otherwise, and then a rule stays silent.
func constant(p *rule.Pass, n rule.Node) bool {
	switch n.Kind() {
	case "identifier":
		return constants(p)[n.Text()] || p.Constant(n)
	case "parenthesized_expression":
		return constant(p, n.NamedChild(0))
	case "binary_expression":
		return constant(p, n.ChildByField("left")) && constant(p, n.ChildByField("right"))
	case "selector_expression":
		x, name := selector(n)
		_, pkg := imports(p)[x.Text()]
		return pkg && name != "" && strings.ToUpper(name[:1]) == name[:1]
	}
	return p.Constant(n)
}

// value is one value a name is given.
type value struct {
	stmt  rule.Node // the declaration or assignment
	expr  rule.Node // for a, b := f() both names get the call
	index int       // position of the name on the left
	names int       // how many names stand on the left
}

// values gives what the variable called name is given inside n, in source
// order. Range clauses and parameters are not among them.
func values(n rule.Node, name string) []value {
	var out []value
	for d := range n.Find("short_var_declaration", "assignment_statement", "var_spec") {
		left, right := list(d.ChildByField("left")), list(d.ChildByField("right"))
		if d.Kind() == "var_spec" {
			left, right = specNames(d), list(d.ChildByField("value"))
		}
		for i, l := range left {
			if l.Kind() != "identifier" || l.Text() != name {
				continue
			}
			v := value{stmt: d, index: i, names: len(left)}
			switch {
			case len(right) == len(left):
				v.expr = right[i]
			case len(right) > 0:
				v.expr = right[0]
			}
			out = append(out, v)
		}
	}
	return out
}

// dynamicText tells whether n builds text out of something that is not
// constant, and names that part: formatting with a %s, %v or %q verb, or
// concatenation with a value that is not plainly a number.
func dynamicText(p *rule.Pass, n rule.Node) (part rule.Node, ok bool) {
	n = rule.Bare(n)
	switch n.Kind() {
	case "binary_expression":
		if n.Operator() != "+" {
			return n, false
		}
		l, r := rule.Bare(n.ChildByField("left")), rule.Bare(n.ChildByField("right"))
		for _, side := range []rule.Node{l, r} {
			if part, ok := dynamicText(p, side); ok {
				return part, true
			}
		}
		for _, side := range []rule.Node{l, r} {
			if side.Kind() != "binary_expression" && !constant(p, side) && !harmlessText(p, side) {
				return side, true
			}
		}
	case "call_expression":
		args := p.Args(n)
		format, _, isText := p.String(p.Arg(n, 0))
		if !callTo(p, n, "fmt", "Sprintf") || len(args) < 2 || !isText {
			return n, false
		}
		verbs := verbsOf(format)
		for i, a := range args[1:] {
			if i < len(verbs) && strings.ContainsRune("svq", verbs[i]) && !constant(p, a) && !harmlessText(p, a) {
				return a, true
			}
		}
	}
	return n, false
}

var (
	harmlessCall = regexp.MustCompile(`^(len|int|int64)$|(?i)quote|escape|placeholder|sanitize`)
	numericType  = regexp.MustCompile(`^(u?int|float|bool$)`)
)

// harmlessText tells whether n is text that cannot carry syntax of its own: a
// number turned into text, or placeholders repeated or joined.
func harmlessText(p *rule.Pass, n rule.Node) bool {
	if n.Kind() == "call_expression" {
		x, name := method(n)
		switch imports(p)[x.Text()] {
		case "strconv":
			return true
		case "strings":
			return name == "Repeat" || name == "Join" || name == "TrimSuffix" || name == "TrimRight"
		}
		return harmlessCall.MatchString(n.ChildByField("function").Text())
	}
	return n.Is("identifier") && numericType.MatchString(parameterType(p, n, n.Text()))
}

// verbsOf gives the letters of the verbs of a format, in order. Formats with
// explicit argument indexes or starred widths give none.
func verbsOf(format string) []rune {
	var verbs []rune
	rs := []rune(format)
	for i := 0; i < len(rs); i++ {
		if rs[i] != '%' {
			continue
		}
		i++
		for i < len(rs) && strings.ContainsRune("+-# 0123456789.", rs[i]) {
			i++
		}
		if i >= len(rs) {
			break
		}
		switch rs[i] {
		case '%':
		case '[', '*':
			return nil
		default:
			verbs = append(verbs, rs[i])
		}
	}
	return verbs
}

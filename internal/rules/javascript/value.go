package javascript

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// values gives the expressions the variable called name is given inside scope:
// by its declarations and by plain assignments.
func values(scope rule.Node, name string) []rule.Node {
	var out []rule.Node
	for n := range scope.Find("variable_declarator", "assignment_expression") {
		target, value := n.ChildByField("name"), n.ChildByField("value")
		if n.Kind() == "assignment_expression" {
			target, value = n.ChildByField("left"), n.ChildByField("right")
		}
		if target.Kind() == "identifier" && target.Text() == name && value.Valid() {
			out = append(out, value)
		}
	}
	return out
}

// topConstants are the file's const names with a constant value.
func topConstants(p *rule.Pass) map[string]bool {
	return rule.Memo(p, "js.constants", func() map[string]bool {
		names := map[string]bool{}
		for _, d := range p.Nodes("variable_declarator") {
			if d.Parent().ChildByField("kind").Text() == "const" && d.ChildByField("name").Kind() == "identifier" &&
				p.Constant(d.ChildByField("value")) {
				names[d.ChildByField("name").Text()] = true
			}
		}
		return names
	})
}

// constant tells whether n has the same value on every run, as far as this file
// shows.
func constant(p *rule.Pass, n rule.Node) bool {
	n = unwrap(n)
	if p.Constant(n) {
		return true
	}
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier":
		return topConstants(p)[n.Text()] || n.Text() == "undefined" || n.Text() == "__dirname" || n.Text() == "__filename"
	case "member_expression":
		name := n.ChildByField("property").Text()
		return name == "length" || strings.HasPrefix(n.Text(), "process.") || strings.HasPrefix(n.Text(), "import.meta.")
	case "binary_expression":
		return constant(p, n.ChildByField("left")) && constant(p, n.ChildByField("right"))
	case "ternary_expression":
		return constant(p, n.ChildByField("consequence")) && constant(p, n.ChildByField("alternative"))
	case "template_string":
		return !rule.Any(n.NamedChildren(), func(s rule.Node) bool {
			return s.Is("template_substitution") && !constant(p, s.NamedChild(0))
		})
	case "call_expression":
		return rule.OneOf(n.ChildByField("function").Text(), "require.resolve", "fileURLToPath", "path.join", "path.resolve",
			"path.dirname") &&
			!slices.ContainsFunc(p.Args(n), func(a rule.Node) bool { return !constant(p, a) })
	}
	return false
}

// part is one dynamic piece of a text with the literal text before it.
type part struct {
	node   rule.Node
	before string
}

// parts gives the non-constant pieces of a template or a concatenation that has
// at least one literal piece, nil for any other expression.
func parts(p *rule.Pass, n rule.Node) []part {
	var out []part
	before, literal := "", false
	var add func(n rule.Node)
	add = func(n rule.Node) {
		n = unwrap(n)
		switch {
		case n.Kind() == "template_string":
			literal = true
			for c := range n.NamedChildren() {
				if c.Kind() == "template_substitution" {
					add(c.NamedChild(0))
				} else {
					before += c.Text()
				}
			}
		case n.Kind() == "binary_expression" && n.Operator() == "+":
			add(n.ChildByField("left"))
			add(n.ChildByField("right"))
		case n.Kind() == "string":
			s, _, _ := p.String(n)
			before += s
			literal = true
		case constant(p, n):
			before += "x"
		default:
			out = append(out, part{n, before})
			before += "x"
		}
	}
	switch n = unwrap(n); n.Kind() {
	case "template_string", "binary_expression":
		add(n)
	}
	if !literal {
		return nil
	}
	return out
}

// built follows a plain name to the expressions that give it its value before
// the use, for names declared in the same function; any other expression stands
// for itself.
func built(p *rule.Pass, n rule.Node) []rule.Node {
	n = unwrap(n)
	if n.Kind() != "identifier" {
		return []rule.Node{n}
	}
	var out []rule.Node
	for _, v := range values(p.Scope(n), n.Text()) {
		if v.Start() < n.Start() {
			out = append(out, unwrap(v))
		}
	}
	return out
}

var harmlessCall = regexp.MustCompile(`(?i)escape|quote|sanitiz|encode|^parseInt$|^parseFloat$|^Number$|shellescape|` +
	`\.format$|identifier|\.toFixed$|\.map$|\.join$|placeholder|\.raw$|validate|\.getTime$|Date\.now$|toISOString$|purify|` +
	`clean|hash|digest|md5|sha1|sha256|(^|\.)bindings?$`)

// cleaningCall matches calls whose result no longer holds what the client typed.
var cleaningCall = regexp.MustCompile(`(?i)escape|quote|sanitiz|encodeURI|^parseInt$|^parseFloat$|^Number$|placeholder|` +
	`validate|purify|clean`)

// harmless tells whether a value cannot carry syntax of its own: numbers,
// escaped text, names of tables, lists of placeholders.
func harmless(p *rule.Pass, n rule.Node) bool {
	n = unwrap(n)
	switch n.Kind() {
	case "call_expression":
		return harmlessCall.MatchString(n.ChildByField("function").Text())
	case "identifier":
		if t := annotated(p, n); t == "number" || t == "boolean" {
			return true
		}
		vs := values(p.Scope(n), n.Text())
		for _, v := range vs {
			v = unwrap(v)
			if !constant(p, v) && !(v.Kind() == "call_expression" && harmlessCall.MatchString(v.ChildByField("function").Text())) {
				return false
			}
		}
		return len(vs) > 0
	case "ternary_expression":
		return (constant(p, n.ChildByField("consequence")) || harmless(p, n.ChildByField("consequence"))) &&
			(constant(p, n.ChildByField("alternative")) || harmless(p, n.ChildByField("alternative")))
	case "update_expression", "unary_expression":
		return true
	case "binary_expression":
		return n.Operator() != "+" && n.Operator() != "||" && n.Operator() != "??"
	}
	return false
}

// annotated is the declared type of the parameter or variable n names.
func annotated(p *rule.Pass, n rule.Node) string {
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		for _, prm := range p.Parameters(fn) {
			pattern := prm.ChildByField("pattern")
			if pattern.Text() == n.Text() {
				return strings.TrimSpace(strings.TrimPrefix(prm.ChildByField("type").Text(), ":"))
			}
		}
		for d := range fn.Find("variable_declarator") {
			if d.ChildByField("name").Text() == n.Text() && d.ChildByField("type").Valid() {
				return strings.TrimSpace(strings.TrimPrefix(d.ChildByField("type").Text(), ":"))
			}
		}
	}
	return ""
}

// requestFlow follows what a client sends: the fields of a parameter called
// req, request or ctx.
func requestFlow(p *rule.Pass) *rule.Flow {
	return rule.Memo(p, "js.request", func() *rule.Flow {
		return p.Flow(rule.Taint{
			Source: func(n rule.Node) bool { return requestText(p, n) },
			Sanitizer: func(_ rule.Node, callee string) bool {
				return callee == "path.basename" || callee == "basename" || cleaningCall.MatchString(callee)
			},
		})
	})
}

// requestText tells whether n itself reads a request. Only parameters of a
// function count, so a client's own request object does not.
func requestText(p *rule.Pass, n rule.Node) bool {
	if n.Kind() == "identifier" {
		return destructured(p, n)
	}
	if !p.UserInput(n) {
		return false
	}
	root, rest, _ := strings.Cut(p.Dotted(n), ".")
	rest, _, _ = strings.Cut(rest, ".")
	if !rule.OneOf(root, "req", "request", "ctx", "context", "c") || rule.OneOf(rest, "get", "file", "files", "header") {
		return false
	}
	return parameterOf(p, n, root)
}

// destructured matches params, query and body taken out of a handler's request
// by its parameter list: ({ params, query }: Request, res).
func destructured(p *rule.Pass, n rule.Node) bool {
	if !rule.OneOf(n.Text(), "params", "query", "body") {
		return false
	}
	for fn := p.Function(n); fn.Valid(); fn = p.Function(fn) {
		list := p.Parameters(fn)
		if len(list) == 0 {
			continue
		}
		pattern := list[0]
		if pattern.Kind() == "required_parameter" {
			pattern = pattern.ChildByField("pattern")
		}
		if pattern.Kind() == "object_pattern" && slices.Contains(p.Names(pattern), n.Text()) {
			return strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(list[0].ChildByField("type").Text(), ":")), "Request") ||
				len(list) > 1 && rule.OneOf(append(p.Names(list[1]), "")[0], "res", "response", "reply")
		}
		if slices.Contains(p.ParameterNames(fn), n.Text()) {
			return false
		}
	}
	return false
}

package graph

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// A chain is an expression as far as names go: parts with dots between them, each a name, with "()" behind it where it is
// called. a.b(x)[0].c is "a.b().?.c". The first part may also be one of these.
const (
	unknown = "?"      // an expression that names do not explain
	literal = "!"      // a string, a number: what it offers is the language's own
	this    = "@this"  // the instance that the method belongs to
	class   = "@class" // its class
	super   = "@super" // its class's bases
	root    = "@root"  // names that follow are absolute: PHP's \A, Ruby's ::A
)

// chainOf gives a node's chain; depth bounds the recursion.
func (c *collector) chainOf(n syntax.Node, depth int) string {
	if !n.Valid() || depth <= 0 {
		return unknown
	}
	r, ok := c.table[n.Kind()]
	if !ok {
		return unknown
	}
	if r.chain != nil {
		return r.chain(c, n)
	}
	switch r.does {
	case names:
		if name := c.nameText(n); name != "" {
			return name
		}
		return unknown
	case special:
		return r.a
	case literals:
		return literal
	case callee:
		inner := c.chainOf(n.ChildByField(r.a), depth-1)
		if inner == "super" && r.b == "super" { // Python's super()
			return super
		}
		return inner + "()"
	case invokes:
		object := n.ChildByField(r.a)
		name := c.nameText(n.ChildByField(r.b))
		if name == "" {
			return unknown
		}
		if !object.Valid() {
			return name + "()"
		}
		if object := c.chainOf(object, depth-1); name != "new" || r.c != "new" {
			return object + "." + name + "()"
		} else {
			return object + "()" // Ruby makes instances so
		}
	case members:
		name := c.nameText(n.ChildByField(r.b))
		if name == "" {
			return unknown
		}
		return c.chainOf(n.ChildByField(r.a), depth-1) + "." + name
	case makes: // an instance of a type
		t := c.typeOf(n.ChildByField(r.a), depth-1)
		if t == "" {
			return unknown
		}
		return t
	case through:
		if r.a == "" {
			return c.chainOf(n.NamedChild(0), depth-1)
		}
		return c.chainOf(n.ChildByField(r.a), depth-1)
	case paths:
		return c.path(n)
	}
	return unknown
}

// path turns a qualified name that is one node or nested ones, such as A::B or a\b, into a chain.
func (c *collector) path(n syntax.Node) string {
	text := n.Text()
	absolute := strings.HasPrefix(text, `\`) || strings.HasPrefix(text, "::")
	parts := strings.FieldsFunc(text, func(r rune) bool { return r == '\\' || r == ':' || r == '.' })
	for _, p := range parts {
		if !isName(p) {
			return unknown
		}
	}
	if absolute {
		parts = append([]string{root}, parts...)
	}
	return strings.Join(parts, ".")
}

// value is a node's chain where it says something, "" where not.
func (c *collector) value(n syntax.Node) string {
	if !n.Valid() {
		return ""
	}
	s := c.chainOf(n, 8)
	if s == unknown || strings.HasPrefix(s, unknown+".") || strings.HasPrefix(s, unknown+"(") || len(s) > maxChain {
		return ""
	}
	return s
}

// typeOf is the chain of an instance of the type that a node names, "" where it names none.
func (c *collector) typeOf(n syntax.Node, depth int) string {
	if !n.Valid() || depth <= 0 {
		return ""
	}
	if c.unwrapType != nil {
		n = c.unwrapType(n)
	}
	s := c.chainOf(n, depth)
	if s == literal && c.lang == "python" { // "Signer", written as a string because it comes later
		s = cut(strings.Trim(n.Text(), `"'`))
		for _, part := range split(s) {
			if !isName(part) {
				return ""
			}
		}
	}
	if s == unknown || s == literal || strings.HasPrefix(s, unknown) || len(s) > maxChain-2 {
		return ""
	}
	return s + "()"
}

// nameText is a leaf's text if it is a name.
func (c *collector) nameText(n syntax.Node) string {
	if !n.Valid() || n.End()-n.Start() > maxText {
		return ""
	}
	text := n.Text()
	if !isName(text) {
		return ""
	}
	return text
}

// isName reports a text that can be a part of a chain.
func isName(s string) bool {
	return s != "" && len(s) <= maxText && !strings.ContainsAny(s, " \t\r\n.()?!@\"'`[]{}<>*&,;:/\\+%^|~") || rubyName(s)
}

// rubyName reports save! and open?, @rows and @@rows, which other languages do not know.
func rubyName(s string) bool {
	inner := strings.TrimLeft(s, "@")
	if inner == "" {
		return false
	}
	if last := inner[len(inner)-1]; last == '?' || last == '!' {
		inner = inner[:len(inner)-1]
	}
	return inner != s && inner != "" && !strings.ContainsAny(inner, " \t\r\n.()?!@\"'`[]{}<>*&,;:/\\+%^|~") &&
		s != this && s != class && s != super && s != root
}

// split cuts a chain at its dots: "a.b().c" is a, b(), c.
func split(chain string) []string { return strings.Split(chain, ".") }

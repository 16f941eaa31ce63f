package typescript

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// functions are the kinds of node that have parameters and a body.
var functions = []string{
	"function_declaration", "function_expression", "arrow_function", "method_definition", "generator_function_declaration",
	"generator_function",
}

// unwrap takes parentheses, awaits and assertions off an expression.
func unwrap(n syntax.Node) syntax.Node {
	for {
		switch n.Kind() {
		case "parenthesized_expression", "as_expression", "non_null_expression", "await_expression", "satisfies_expression",
			"expression_statement":
			n = n.NamedChild(0)
		default:
			return n
		}
	}
}

// bare takes parentheses off an expression.
func bare(n syntax.Node) syntax.Node {
	for n.Kind() == "parenthesized_expression" || n.Kind() == "expression_statement" {
		n = n.NamedChild(0)
	}
	return n
}

// callee splits a call into what it is called on (not valid for a plain function) and the last name.
func callee(call syntax.Node) (object syntax.Node, name string) {
	if call.Kind() != "call_expression" {
		return syntax.Node{}, ""
	}
	f := call.ChildByField("function")
	switch f.Kind() {
	case "identifier":
		return syntax.Node{}, f.Text()
	case "member_expression":
		return f.ChildByField("object"), f.ChildByField("property").Text()
	}
	return syntax.Node{}, ""
}

// arguments lists a call's arguments.
func arguments(call syntax.Node) []syntax.Node { return call.ChildByField("arguments").Elements() }

// calls gives the calls of functions and methods with one of the names, of all when there is none, and their arguments.
func (f file) calls(names ...string) iter.Seq2[syntax.Node, []syntax.Node] {
	return plant.Calls(f.Root.Find("call_expression"), arguments, func(call syntax.Node) bool {
		_, name := callee(call)
		return len(names) == 0 || slices.Contains(names, name)
	})
}

// lastName is the identifier that an expression ends with: "id" of this.user.id.
func lastName(n syntax.Node) string {
	n = unwrap(n)
	switch n.Kind() {
	case "identifier", "shorthand_property_identifier", "property_identifier", "private_property_identifier", "this":
		return strings.TrimPrefix(n.Text(), "#")
	case "member_expression":
		return strings.TrimPrefix(n.ChildByField("property").Text(), "#")
	case "call_expression":
		_, name := callee(n)
		return name
	}
	return ""
}

// simple says whether an expression can be repeated or moved without a change: names and their members.
func simple(n syntax.Node) bool {
	switch n.Kind() {
	case "identifier", "this", "number":
		return true
	case "member_expression":
		return simple(n.ChildByField("object"))
	}
	return false
}

// stringText is the text of a string literal or of a template without holes.
func stringText(n syntax.Node) (string, bool) {
	switch n.Kind() {
	case "string", "template_string":
		for c := range n.NamedChildren() {
			if c.Kind() != "string_fragment" {
				return "", false
			}
		}
		s := n.Text()
		if len(s) < 2 {
			return "", false
		}
		return s[1 : len(s)-1], true
	}
	return "", false
}

// function is the function that a node stands in.
func function(n syntax.Node) syntax.Node { return n.Enclosing(functions...) }

// functionName is the name a function is declared with or assigned to, "" for one without.
func functionName(fn syntax.Node) string {
	if name := fn.ChildByField("name"); name.Valid() {
		return strings.TrimPrefix(name.Text(), "#")
	}
	switch parent := fn.Parent(); parent.Kind() {
	case "variable_declarator", "public_field_definition":
		return strings.TrimPrefix(parent.ChildByField("name").Text(), "#")
	case "pair":
		return parent.ChildByField("key").Text()
	}
	return ""
}

// where names the function around a node for a description.
func where(n syntax.Node) string {
	for fn := function(n); fn.Valid(); fn = function(fn) {
		if name := functionName(fn); name != "" {
			return short(name)
		}
	}
	return "the module"
}

// returnType is a function's annotated result without Promise<>, "" when it is not annotated.
func returnType(fn syntax.Node) string {
	t := strings.TrimSpace(strings.TrimPrefix(fn.ChildByField("return_type").Text(), ":"))
	if inner, ok := strings.CutPrefix(t, "Promise<"); ok {
		t = strings.TrimSuffix(inner, ">")
	}
	return t
}

// statement is the nearest statement that a node is part of and that stands in a block.
func statement(n syntax.Node) syntax.Node {
	for n.Valid() {
		switch n.Parent().Kind() {
		case "statement_block", "program":
			return n
		}
		n = n.Parent()
	}
	return n
}

// around gives the statements before and after one in its block; not valid where there is none, or a comment.
func around(s syntax.Node) (before, after syntax.Node) {
	all := slices.Collect(s.Parent().NamedChildren())
	i := slices.Index(all, s)
	if i > 0 && all[i-1].Kind() != "comment" {
		before = all[i-1]
	}
	if i >= 0 && i+1 < len(all) && all[i+1].Kind() != "comment" {
		after = all[i+1]
	}
	return before, after
}

// consequence lists the statements that an if statement without else runs.
func consequence(n syntax.Node) []syntax.Node {
	if n.ChildByField("alternative").Valid() {
		return nil
	}
	c := n.ChildByField("consequence")
	if c.Kind() == "statement_block" {
		return c.Statements()
	}
	return []syntax.Node{c}
}

// leaves says whether an if statement does nothing but leave: throw, return, continue or break.
func leaves(n syntax.Node) bool {
	body := consequence(n)
	if len(body) == 0 {
		return false
	}
	switch body[len(body)-1].Kind() {
	case "throw_statement", "return_statement", "continue_statement", "break_statement":
		return len(body) == 1
	}
	return false
}

// mentions says whether the identifier occurs below a node.
func mentions(n syntax.Node, name string) bool { return count(n, name) > 0 }

// count is how often an identifier occurs below a node.
func count(n syntax.Node, name string) int {
	total := 0
	if n.Kind() == "identifier" && n.Text() == name {
		total++
	}
	for id := range n.Find("identifier", "shorthand_property_identifier", "type_identifier") {
		if id.Text() == name {
			total++
		}
	}
	return total
}

// binary takes a binary expression apart.
func binary(n syntax.Node) (left syntax.Node, sign string, right syntax.Node) {
	if n.Kind() != "binary_expression" {
		return syntax.Node{}, "", syntax.Node{}
	}
	return n.ChildByField("left"), n.Operator(), n.ChildByField("right")
}

var spaces = regexp.MustCompile(`\s+`)

// short is code for a description: one line, 44 bytes at most.
func short(code string) string {
	if code = strings.TrimSpace(spaces.ReplaceAllString(code, " ")); len(code) > 44 {
		return head(code, 41) + "..."
	}
	return code
}

// describe shortens a description where a program's names are very long.
func describe(text string) string {
	if len(text) > maxDescription {
		return strings.TrimSpace(head(text, maxDescription-3)) + "..."
	}
	return text
}

// head is how a text begins, up to n bytes of it and no half a character.
func head(text string, n int) string {
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}

package java

import (
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// SQLConcat writes a text into a statement that was bound before. A quote in it now ends the literal, and what stands
// behind the quote is run as SQL.
func (*operators) SQLConcat(f file) {
	for call := range f.Root.Find("method_invocation") {
		if called(call) == "prepareStatement" {
			f.reportConcatenations(call)
		}
	}
}

// reportConcatenations reports the texts that are bound to a prepared statement and could be written into it.
func (f file) reportConcatenations(prepare syntax.Node) {
	m := prepare.Enclosing("method_declaration")
	holder := prepare.Parent()
	if !m.Valid() || len(args(prepare)) == 0 || holder.Kind() != "resource" && holder.Kind() != "variable_declarator" {
		return
	}
	statement := holder.ChildByField("name").Text()
	literals := pieces(local(m, args(prepare)[0]))
	marks := 0
	for _, l := range literals {
		marks += strings.Count(l.Text(), "?")
	}
	type setter struct {
		call  syntax.Node
		index int
	}
	var setters []setter
	for call := range m.Find("method_invocation") {
		name := called(call)
		if receiver(call).Text() != statement {
			continue
		}
		if name == "addBatch" {
			return
		}
		if as := args(call); strings.HasPrefix(name, "set") && len(as) >= 2 {
			i, err := strconv.Atoi(as[0].Text())
			if err != nil {
				return
			}
			setters = append(setters, setter{call, i})
		}
	}
	if marks == 0 || len(setters) != marks {
		return
	}
	for _, s := range setters {
		value := args(s.call)[1]
		deleted, alone := f.deleteLines(s.call.Parent())
		if called(s.call) != "setString" || !given(m, value) || !alone || s.call.Parent().Kind() != "expression_statement" {
			continue
		}
		literal, at := mark(literals, s.index)
		if !literal.Valid() {
			continue
		}
		text := literal.Text()
		edits := []plant.Edit{f.Replace(literal, text[:at]+"'\" + "+value.Text()+" + \"'"+text[at+1:]), deleted}
		for _, o := range setters {
			if o.index > s.index {
				edits = append(edits, f.Replace(args(o.call)[0], strconv.Itoa(o.index-1)))
			}
		}
		f.ReportAll(edits, "%s puts %s into the SQL text instead of binding it, so that a quote in it ends the literal and the rest runs as SQL",
			methodName(prepare), value.Text())
	}
}

// local is what a local variable was declared with, or the node itself.
func local(m, n syntax.Node) syntax.Node {
	if n.Kind() != "identifier" {
		return n
	}
	for d := range m.Find("variable_declarator") {
		if d.ChildByField("name").Text() == n.Text() {
			return d.ChildByField("value")
		}
	}
	return n
}

// pieces are the literals of a concatenation, in order.
func pieces(n syntax.Node) []syntax.Node {
	if operator(n) == "+" {
		return append(pieces(left(n)), pieces(right(n))...)
	}
	if n.Kind() == "string_literal" && !strings.HasPrefix(n.Text(), `"""`) {
		return []syntax.Node{n}
	}
	return nil
}

// mark finds the n-th question mark, counted from 1.
func mark(literals []syntax.Node, n int) (literal syntax.Node, at int) {
	for _, l := range literals {
		for i, c := range []byte(l.Text()) {
			if c == '?' {
				if n--; n == 0 {
					return l, i
				}
			}
		}
	}
	return syntax.Node{}, 0
}

// given says whether a value is a parameter of the method, or what a method without arguments makes of one.
func given(m, value syntax.Node) bool {
	if value.Kind() == "method_invocation" && len(args(value)) == 0 {
		value = receiver(value)
	}
	return value.Kind() == "identifier" && slices.ContainsFunc(m.ChildByField("parameters").Elements(), func(p syntax.Node) bool {
		return p.ChildByField("name").Text() == value.Text()
	})
}

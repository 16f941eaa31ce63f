package golang

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax/gotree"
)

// asking matches calls whose failure is an answer and no fault: there is no
// such file, the text is no number.
var asking = regexp.MustCompile(`(?i)(^|\.)(l?stat|atoi|parse\w*|find\w*|lookup\w*|extract\w*|exists\w*|is[A-Z]\w*|` +
	`has[A-Z]\w*|match\w*|resolve\w*|detect\w*)$|Cookie|Optional`)

// SwallowedError looks for functions that pass their failures on, but turn one
// of them into success.
func (*checks) SwallowedError(p *rule.Pass) {
	for _, n := range p.Nodes("if_statement") {
		fn := p.Function(n)
		block := n.ChildByField("consequence")
		if errorTest(n.ChildByField("condition"), "!=") == "" || n.ChildByField("alternative").Valid() || !fn.Valid() ||
			fn.Kind() == "func_literal" || block.Has("comment") || commented(n) {
			continue
		}
		types := gotree.Results(fn)
		ret := soleReturn(block)
		if len(types) == 0 || types[len(types)-1] != "error" || len(ret) != len(types) || !allZero(ret) || ret[len(ret)-1].Kind() != "nil" {
			continue
		}
		if call := failing(n); call.Valid() && !asking.MatchString(p.Callee(call)) && passesOn(fn, n, len(types)) {
			p.Report(n, p.Callee(call)+" failed")
		}
	}
}

// soleReturn gives the values of a block that is one return.
func soleReturn(block rule.Node) []rule.Node {
	if ss := block.Statements(); len(ss) == 1 && ss[0].Kind() == "return_statement" {
		return list(ss[0].NamedChild(0))
	}
	return nil
}

// failing is the call whose error n tests: in n's own initializer or in the
// statement right before.
func failing(n rule.Node) rule.Node {
	stmt := n.ChildByField("initializer")
	if !stmt.Valid() {
		stmt = n.PrevSibling()
		for stmt.Valid() && !stmt.Named() {
			stmt = stmt.PrevSibling()
		}
	}
	right := list(stmt.ChildByField("right"))
	if len(right) == 1 && right[0].Kind() == "call_expression" {
		return right[0]
	}
	return rule.Node{}
}

// passesOn tells whether fn returns an error of its own for another failure.
func passesOn(fn, except rule.Node, width int) bool {
	found := false
	own(fn, func(m rule.Node) {
		if m.Kind() != "if_statement" || m == except || errorTest(m.ChildByField("condition"), "!=") == "" {
			return
		}
		body := m.ChildByField("consequence").Statements()
		if len(body) == 0 || body[len(body)-1].Kind() != "return_statement" {
			return
		}
		vals := list(body[len(body)-1].NamedChild(0))
		found = found || len(vals) == width && vals[width-1].Kind() != "nil"
	})
	return found
}

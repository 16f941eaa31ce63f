package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// ResponseBodyLeak looks for HTTP responses that never leave the function and
// whose body the function never closes.
func (*checks) ResponseBodyLeak(p *rule.Pass) {
	for _, n := range p.Nodes("short_var_declaration", "assignment_statement") {
		left, right := list(n.ChildByField("left")), list(n.ChildByField("right"))
		if len(left) != 2 || len(right) != 1 || left[0].Kind() != "identifier" || !httpCall(p, right[0]) {
			continue
		}
		fn := p.Function(n)
		if left[0].Text() == "_" {
			p.Report(n, "the response is dropped unclosed")
		} else if fn.Valid() && !handedOn(fn, left[0]) {
			p.Report(n, "")
		}
	}
}

// httpCall tells whether n surely yields an *http.Response.
func httpCall(p *rule.Pass, n rule.Node) bool {
	if callTo(p, n, "net/http", "Get", "Post", "Head", "PostForm") {
		return true
	}
	x, name := method(n)
	if name != "Do" && name != "Get" && name != "Post" && name != "Head" || x.Text() == "" {
		return false
	}
	if y, field := selector(x); field == "DefaultClient" && imports(p)[y.Text()] == "net/http" {
		return true
	}
	if !x.Is("identifier") {
		return false
	}
	return parameterType(p, n, x.Text()) == "*http.Client" || slices.ContainsFunc(values(p.Scope(n), x.Text()), func(v value) bool {
		return rule.Any(v.stmt.Find("composite_literal"), func(l rule.Node) bool {
			return l.ChildByField("type").Text() == "http.Client" && (v.expr == l || v.expr == l.Parent())
		})
	})
}

// handedOn tells whether the response, or its body, is closed or given to
// anything that could close it. Reading fields other than Body is not handing
// on; neither is passing the body to a reader of the standard library.
func handedOn(fn, name rule.Node) bool {
	given := false
	fn.ChildByField("body").Walk(func(n rule.Node) bool {
		if given || n.Kind() != "identifier" || n.Text() != name.Text() || n == name {
			return !given
		}
		parent := n.Parent()
		if parent.Is("expression_list") && parent.Field() == "left" || parent.Is("binary_expression") { // resp == nil
			return true
		}
		if parent.Kind() != "selector_expression" {
			given = true
			return false
		}
		if parent.ChildByField("field").Text() != "Body" {
			_, isCall := method(parent.Parent())
			given = isCall != "" && parent.Parent().ChildByField("function") == parent && parent.ChildByField("field").Text() == "Write"
			return !given
		}
		given = !readsOnly(parent)
		return !given
	})
	return given
}

func readsOnly(body rule.Node) bool {
	outer := body.Parent()
	if outer.Kind() != "argument_list" {
		return false
	}
	return rule.OneOf(outer.Parent().ChildByField("function").Text(), "io.ReadAll", "ioutil.ReadAll", "json.NewDecoder", "io.Copy",
		"bufio.NewScanner", "bufio.NewReader", "xml.NewDecoder", "io.LimitReader")
}

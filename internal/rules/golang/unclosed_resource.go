package golang

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// UnclosedResource looks for files and rows that never leave the function and that the
// function never closes.
func (*checks) UnclosedResource(p *rule.Pass) {
	p.ReportWhere(p.Nodes("short_var_declaration", "assignment_statement"), func(n rule.Node) bool {
		left, right := list(n.ChildByField("left")), list(n.ChildByField("right"))
		fn := p.Function(n)
		if len(left) != 2 || len(right) != 1 || left[0].Kind() != "identifier" || left[0].Text() == "_" || !fn.Valid() ||
			fn.ChildByField("name").Text() == "main" || !opens(p, right[0]) {
			return false
		}
		if n.Kind() == "assignment_statement" && !slices.ContainsFunc(values(fn, left[0].Text()),
			func(v value) bool { return v.stmt.Kind() == "short_var_declaration" }) && declaredType(fn, left[0].Text()) == "" {
			return false // a variable from outside
		}
		return !escapes(fn, left[0])
	})
}

// opens tells whether call surely gives something that has to be closed.
func opens(p *rule.Pass, call rule.Node) bool {
	if callTo(p, call, "os", "Open", "Create", "OpenFile") {
		return true
	}
	x, name := method(call)
	if imported(p, "database/sql") == "" || name != "Query" && name != "QueryContext" || x.Kind() != "identifier" {
		return false
	}
	return rule.OneOf(parameterType(p, call, x.Text()), "*sql.DB", "*sql.Tx", "*sql.Conn", "*sql.Stmt")
}

// escapes tells whether name is closed, or reaches code that could close it.
// Methods called on it and readers of the standard library do not.
func escapes(fn, name rule.Node) bool {
	out := false
	fn.ChildByField("body").Walk(func(n rule.Node) bool {
		if out || n.Kind() != "identifier" || n.Text() != name.Text() || n == name {
			return !out
		}
		parent := n.Parent()
		switch {
		case parent.Kind() == "expression_list" && parent.Field() == "left", parent.Kind() == "binary_expression":
		case parent.Kind() == "selector_expression" && parent.Field() == "function":
			out = parent.ChildByField("field").Text() == "Close"
		case parent.Kind() == "argument_list" && rule.OneOf(parent.Parent().ChildByField("function").Text(), "io.ReadAll",
			"ioutil.ReadAll", "io.Copy", "bufio.NewScanner", "bufio.NewReader", "json.NewDecoder", "json.NewEncoder", "csv.NewReader",
			"fmt.Fprintf", "fmt.Fprintln", "fmt.Fprint", "io.WriteString"):
		default:
			out = true
		}
		return !out
	})
	return out
}

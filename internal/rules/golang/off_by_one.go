package golang

import (
	"slices"
	"strconv"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// OffByOne looks for loops that run to len(x) and index x with the counter.
func (*checks) OffByOne(p *rule.Pass) {
	for _, clause := range p.Nodes("for_clause") {
		if ix := overrun(p, clause); ix.Valid() {
			p.Report(clause.ChildByField("condition"), rule.FirstLine(ix)+" in line "+strconv.Itoa(ix.Line()))
		}
	}
	p.ReportWhere(p.Nodes("index_expression"), func(ix rule.Node) bool {
		x, i := ix.ChildByField("operand"), ix.ChildByField("index")
		return lenOf(i) != "" && lenOf(i) == x.Text() && indexable(p, x) && ix.Field() != "left"
	})
}

// indexable tells whether x is a name whose type, as far as the file shows, is
// no map: only then is x[len(x)] out of range.
func indexable(p *rule.Pass, x rule.Node) bool {
	if x.Kind() != "identifier" {
		return false
	}
	t := parameterType(p, x, x.Text())
	if t == "" {
		t = declaredType(p.Scope(x), x.Text())
	}
	return len(t) > 0 && (t[0] == '[' || t == "string")
}

// lenOf is the text of x in len(x).
func lenOf(n rule.Node) string {
	if n.Kind() != "call_expression" || n.ChildByField("function").Text() != "len" {
		return ""
	}
	return n.ChildByField("arguments").NamedChild(0).Text()
}

// overrun gives the index expression that the last turn of a counting loop (or
// the first of one that counts down) takes out of range.
func overrun(p *rule.Pass, clause rule.Node) rule.Node {
	cond, init := clause.ChildByField("condition"), clause.ChildByField("initializer")
	i, x := "", ""
	if l := cond.ChildByField("left"); cond.Operator() == "<=" && l.Kind() == "identifier" &&
		clause.ChildByField("update").Kind() == "inc_statement" {
		i, x = l.Text(), lenOf(cond.ChildByField("right"))
	} else if cond.Operator() == ">=" && cond.ChildByField("right").Text() == "0" &&
		clause.ChildByField("update").Kind() == "dec_statement" && init.Kind() == "short_var_declaration" {
		i = cond.ChildByField("left").Text()
		if right := list(init.ChildByField("right")); len(right) == 1 && init.ChildByField("left").Text() == i {
			x = lenOf(right[0])
		}
	}
	if i == "" || x == "" {
		return rule.Node{}
	}
	body := clause.Parent().ChildByField("body")
	aware := rule.Any(body.Find("if_statement", "expression_switch_statement", "binary_expression", "assignment_statement",
		"inc_statement", "dec_statement"), func(n rule.Node) bool {
		switch n.Kind() {
		case "if_statement":
			return n.ChildByField("condition").Mentions(i)
		case "expression_switch_statement":
			return true
		case "binary_expression":
			return rule.OneOf(n.Operator(), "&&", "||") && n.Mentions(i)
		case "assignment_statement":
			return slices.ContainsFunc(list(n.ChildByField("left")), func(l rule.Node) bool { return rule.OneOf(l.Text(), i, x) })
		}
		return n.NamedChild(0).Text() == i
	})
	if aware { // the body knows about the last turn
		return rule.Node{}
	}
	return rule.First(body.Find("index_expression"), func(ix rule.Node) bool {
		return ix.ChildByField("operand").Text() == x && ix.ChildByField("index").Text() == i
	})
}

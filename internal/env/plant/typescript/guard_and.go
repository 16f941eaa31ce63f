package typescript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

var absent = regexp.MustCompile(`\bundefined\b|\bnull\b|\btypeof\b|\binstanceof\b`)

// GuardAnd turns the "or" of a refusal into "and": what broke one of the two conditions alone now gets through.
func (*operators) GuardAnd(f file) {
	for n := range f.Root.Find("if_statement") {
		cond := bare(n.ChildByField("condition"))
		left, sign, right := binary(cond)
		if sign != "||" || !leaves(n) || !independent(left) || !independent(right) || lines(cond.Text()) > maxLines {
			continue
		}
		if _, inner, _ := binary(left); inner == "||" {
			continue
		}
		text := left.Text() + " && " + right.Text()
		f.Report(f.Replace(cond, text), "The check in %s needs %s and %s at once, so a value that breaks only one of the two passes.",
			where(n), short(left.Text()), short(right.Text()))
	}
}

// independent says whether one half of a condition says something of its own and is no test for presence, which the
// other half may need.
func independent(n syntax.Node) bool {
	n = bare(n)
	if absent.MatchString(n.Text()) {
		return false
	}
	switch n.Kind() {
	case "binary_expression":
		switch n.Operator() {
		case "<", ">", "<=", ">=", "===", "!==":
			return true
		}
	case "unary_expression":
		return n.NamedChild(n.NumNamed()-1).Kind() == "call_expression"
	case "call_expression":
		return true
	}
	return false
}

package php

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func (*checks) StrposTruth(p *rule.Pass) {
	p.ReportWhere(p.CallsTo("strpos", "stripos", "mb_strpos", "array_search", "strrpos", "mb_stripos"), func(call rule.Node) bool {
		if s := head(p, p.Arg(call, 0)); s != "" && p.Arg(call, 0).Kind() == "binary_expression" {
			return false // something was put in front so that no match is at 0
		}
		if agent.MatchString(p.Arg(call, 0).Text()) {
			return false // a browser's name begins with another word
		}
		if s, _, ok := p.String(p.Arg(call, 1)); ok && (!strposTruthWord.MatchString(s) || strings.HasPrefix(s, "/")) {
			return false // a separator is not looked for at the very start
		}
		if callee := p.Callee(p.Arg(call, 0)); callee == "json_encode" || callee == "serialize" {
			return false // what begins with a sign of its own
		}
		up := call.Parent()
		truth := false
		switch up.Kind() {
		case "parenthesized_expression":
			outer := up.Parent().Kind()
			truth = up.Field() == "condition" && (outer == "if_statement" || outer == "else_if_clause" || outer == "while_statement")
		case "unary_op_expression":
			truth = strings.HasPrefix(up.Text(), "!")
		case "binary_expression":
			other := up.ChildByField("right")
			if other == call {
				other = up.ChildByField("left")
			}
			op := up.Operator()
			truth = rule.OneOf(op, "&&", "||") || rule.OneOf(op, "==", "!=") && strings.EqualFold(other.Text(), "false")
		case "conditional_expression":
			truth = call.Field() == "condition" && up.ChildByField("body").Valid()
		}
		return truth
	})
}

var agent = regexp.MustCompile(`(?i)user_?agent`)

var strposTruthWord = regexp.MustCompile(`[A-Za-z0-9]|\.\.`)

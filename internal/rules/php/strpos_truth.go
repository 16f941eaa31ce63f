package php

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func strposTruth() rule.Rule {
	finders := []string{"strpos", "stripos", "mb_strpos", "array_search", "strrpos", "mb_stripos"}
	word := regexp.MustCompile(`[A-Za-z0-9]|\.\.`)
	return rule.Rule{
		ID: "php/strpos-truth", Title: "the position that strpos or array_search returns is used as a truth value",
		Category: "comparison", CWE: "CWE-697", Severity: "low", Confidence: 0.65,
		Languages: []string{"php"},
		Explanation: "These functions return the position, which is 0 when the match is at the very start (or the first element), and false when there is none. As a condition both " +
			"are false, so a match at the start is treated as no match.",
		Suggestion: "Compare with false: strpos($text, $word) !== false, or str_contains().",
		Bad: []rule.Sample{
			{Source: "<?php\nif (strpos($url, 'http')) {\n    fetch($url);\n}\n"},
			{Source: "<?php\nif (!array_search($id, $ids)) {\n    add($id);\n}\n"},
			{Source: "<?php\nif (strpos($path, '..') == false) {\n    open($path);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nif (strpos($url, 'http') !== false) {\n    fetch($url);\n}\n"},
			{Source: "<?php\nif (strpos($url, 'http') > 0) {\n    fetch($url);\n}\n"},
			{Source: "<?php\nif (strstr($url, 'http')) {\n    fetch($url);\n}\n"},
			{Source: "<?php\nif (strpos($url, 'http') === 0) {\n    fetch($url);\n}\n"},
			{Source: "<?php\nif (strpos($arg, '=')) {\n    pair($arg);\n}\n"},
			{Source: "<?php\nif (strpos(' ' . $url, 'http')) {\n    fetch($url);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if call.Kind() != "function_call_expression" || !slices.Contains(finders, p.Callee(call)) {
					continue
				}
				if s := head(p, p.Arg(call, 0)); s != "" && p.Arg(call, 0).Kind() == "binary_expression" {
					continue // something was put in front so that no match is at 0
				}
				if s, _, ok := p.String(p.Arg(call, 1)); ok && !word.MatchString(s) {
					continue // a separator is not looked for at the very start
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
					op := up.ChildByField("operator").Text()
					other := up.ChildByField("right")
					if other == call {
						other = up.ChildByField("left")
					}
					truth = op == "&&" || op == "||" || (op == "==" || op == "!=") && strings.EqualFold(other.Text(), "false")
				case "conditional_expression":
					truth = call.Field() == "condition" && up.ChildByField("body").Valid()
				}
				if truth {
					p.Report(call, "")
				}
			}
		},
	}
}

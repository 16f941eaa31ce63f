package php

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func assignmentInCondition() rule.Rule {
	return rule.Rule{
		ID: "php/assignment-in-condition", Title: "a constant is assigned where it should be compared",
		Category: "comparison", CWE: "CWE-481", Severity: "high", Confidence: 0.93,
		Languages:   []string{"php"},
		Explanation: "The condition stores the constant in the variable and tests the constant: the variable is overwritten and the branch is always taken, or never.",
		Suggestion:  "Write === (or ==).",
		Bad: []rule.Sample{
			{Source: "<?php\nif ($role = 'admin') {\n    open();\n}\n"},
			{Source: "<?php\nwhile ($state = 1) {\n    step();\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nif ($role === 'admin') {\n    open();\n}\n"},
			{Source: "<?php\nwhile ($row = $result->fetch()) {\n    show($row);\n}\n"},
			{Source: "<?php\nif (($n = count($all)) > 0) {\n    show($n);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("if_statement", "else_if_clause", "while_statement") {
				c := n.ChildByField("condition")
				if c.NumNamed() != 1 || c.NamedChild(0).Kind() != "assignment_expression" {
					continue
				}
				switch c.NamedChild(0).ChildByField("right").Kind() {
				case "string", "integer", "float", "boolean", "null", "name":
					p.Report(c, "")
				}
			}
		},
	}
}

package php

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func extractRequest() rule.Rule {
	return rule.Rule{
		ID: "php/extract-request", Title: "the request overwrites the script's variables",
		Category: "injection", CWE: "CWE-621", Severity: "high", Confidence: 0.93,
		Languages: []string{"php"},
		Explanation: "extract($_GET), parse_str with one argument and $$key in a loop over the request set a variable for every parameter. ?is_admin=1 sets $is_admin, " +
			"whatever the script computed before.",
		Suggestion: "Read the parameters you expect by name; if extract must stay, pass EXTR_SKIP or a prefix.",
		Bad: []rule.Sample{
			{Source: "<?php\nextract($_POST);\n"},
			{Source: "<?php\nforeach ($_GET as $key => $value) {\n    $$key = $value;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\nextract($_POST, EXTR_SKIP);\n"},
			{Source: "<?php\nfunction view(array $data) {\n    extract($data);\n    include 'view.php';\n}\n"},
			{Source: "<?php\nparse_str($_SERVER['QUERY_STRING'], $query);\n"},
			{Source: "<?php\nforeach ($_GET as $key => $value) {\n    $clean[$key] = trim($value);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				arg := p.Arg(call, 0)
				name := p.Callee(call)
				super := slices.Contains([]string{"$_GET", "$_POST", "$_REQUEST", "$_COOKIE"}, arg.Text())
				if name == "extract" && super && (len(p.Args(call)) == 1 || p.Arg(call, 1).Text() == "EXTR_OVERWRITE") {
					p.Report(call, "")
				}
				if name == "parse_str" && len(p.Args(call)) == 1 && strings.HasPrefix(arg.Text(), "$_SERVER") {
					p.Report(call, "")
				}
			}
			for loop := range p.Nodes("foreach_statement") {
				over, pair := loop.NamedChild(0), loop.NamedChild(1)
				if !slices.Contains([]string{"$_GET", "$_POST", "$_REQUEST", "$_COOKIE"}, over.Text()) || pair.Kind() != "pair" {
					continue
				}
				key := pair.NamedChild(0).Text()
				body := loop.ChildByField("body")
				for a := range body.Find("assignment_expression") {
					if left := a.ChildByField("left"); left.Kind() == "dynamic_variable_name" && (left.Text() == "$"+key || left.Text() == "${"+key+"}") && !a.Enclosing("if_statement").Valid() {
						p.Report(a, "")
					}
				}
			}
		},
	}
}

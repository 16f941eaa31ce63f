package php

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func codeInjection() rule.Rule {
	known := regexp.MustCompile(`(?i)exists|callable|in_array|isset|defined|array_key`)
	return rule.Rule{
		ID: "php/code-injection", Title: "request data is run as PHP code",
		Category: "injection", CWE: "CWE-95", Severity: "critical", Confidence: 0.93,
		Languages:   []string{"php"},
		Explanation: "eval, create_function, assert with a string and a callable name from the request let the client run any PHP it likes on the server.",
		Suggestion:  "Map the parameter to one of your own functions with an array or match; parse data with json_decode.",
		Bad: []rule.Sample{
			{Source: "<?php\neval('$x = ' . $_GET['x'] . ';');\n"},
			{Source: "<?php\n$action = $_REQUEST['action'];\ncall_user_func($action, 1);\n"},
			{Source: "<?php\n$f = $_GET['f'];\n$f($_GET['arg']);\n"},
		},
		Good: []rule.Sample{
			{Source: "<?php\n$actions = ['list' => 'show_list'];\n$action = $actions[$_GET['action']] ?? 'show_list';\n$action();\n"},
			{Source: "<?php\ncall_user_func('render', $_GET['page']);\n"},
			{Source: "<?php\n$action = 'do_' . $_GET['action'];\nif (function_exists($action)) {\n    $action();\n}\n"},
			{Source: "<?php\neval('$x = 1;');\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if call.Kind() != "function_call_expression" {
					continue
				}
				f := call.ChildByField("function")
				code := p.Arg(call, 0)
				switch name := p.Callee(call); {
				case slices.Contains([]string{"eval", "assert", "call_user_func", "call_user_func_array"}, name):
				case name == "create_function":
					code = p.Arg(call, 1)
				case f.Kind() == "variable_name":
					code = f
				default:
					continue
				}
				if code.Valid() && code.Kind() != "array_creation_expression" && tainted(p, code) && !checked(p, code, known) && wholly(p, code) {
					p.Report(call, "")
				}
			}
		},
	}
}

// wholly tells whether nothing constant stands before the request data, which would confine what can be named; code
// that is put together for eval counts always.
func wholly(p *rule.Pass, n syntax.Node) bool {
	if v := value(p, n); n.Kind() == "variable_name" {
		return head(p, v) == "" && v.Kind() != "subscript_expression" || v.Kind() == "subscript_expression" && v.NumNamed() > 0 && request(p, v.NamedChild(0))
	}
	return true
}

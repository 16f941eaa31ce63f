package php

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func crossSiteScripting() rule.Rule {
	known := regexp.MustCompile(`(?i)in_array|preg_match|preg_replace|valid|allow|array_key|ctype|is_numeric|is_int|html|esc|filter|settype|array_map`)
	markup := regexp.MustCompile(`(?i)<(p|pre|div|span|h[1-6]|td|li|b|a|option|input|strong|em)\b`)
	// A link cannot set these in somebody else's browser.
	unforgeable := regexp.MustCompile(`HTTP_(USER_AGENT|X_FORWARDED_FOR|HOST)`)
	return rule.Rule{
		ID: "php/reflected-xss", Title: "request data is printed into the page without escaping",
		Category: "xss", CWE: "CWE-79", Severity: "high", Confidence: 0.9,
		Languages: []string{"php"},
		Explanation: "Text of the request goes back to the browser as HTML. A link whose parameter holds <script> runs it in the reader's session with " +
			"this site: it can read the page, the cookies and act as the user.",
		Suggestion: "echo htmlspecialchars($value, ENT_QUOTES, 'UTF-8'), or a template engine that escapes by itself.",
		Bad: []rule.Sample{
			{Source: "<p>Results for <?= $_GET['q'] ?></p>\n"},
			{Source: "<?php\n$name = trim($_POST['name']);\necho \"<h1>Hello $name</h1>\";\n"},
			{Source: "<?php\n$html .= '<pre>Hello ' . $_GET['name'] . '</pre>';\n"},
			{Source: "<form action=\"<?php echo $_SERVER['PHP_SELF']; ?>\" method=\"post\">\n"},
		},
		Good: []rule.Sample{
			{Source: "<p>Results for <?= htmlspecialchars($_GET['q']) ?></p>\n"},
			{Source: "<?php\necho isset($_GET['q']) ? 'yes' : 'no';\n"},
			{Source: "<?php\n$n = (int) $_GET['n'];\necho \"<b>$n</b>\";\n"},
			{Source: "<?php\nheader('Content-Type: application/json');\necho $_GET['callback'];\n"},
			{Source: "<p>You use <?= $_SERVER['HTTP_USER_AGENT'] ?></p>\n"},
			{Source: "<?php\necho json_encode(['q' => $_GET['q']]);\n"},
			{Source: "<?php\n$f = $_GET['f'];\nforeach (glob('*.txt') as $f) {\n    echo \"<li>$f\";\n}\n"},
			{Source: "<?php\necho sprintf('%d hits', $_GET['n']);\n"},
			{Source: "<?php\n$l = $_GET['l'];\nif (!in_array($l, ['en', 'de'])) {\n    exit;\n}\necho \"<html lang='$l'>\";\n"},
		},
		Check: func(p *rule.Pass) {
			source := string(p.Tree.Source())
			if strings.Contains(source, "application/json") || strings.Contains(source, "text/plain") || strings.Contains(source, "php_sapi_name") || strings.HasPrefix(source, "#!") {
				return
			}
			var printed, assigned []syntax.Node // markup that is put together first is reported there, not again where it is printed
			for n := range p.Nodes("assignment_expression", "augmented_assignment_expression") {
				if right := n.ChildByField("right"); markup.MatchString(literals(p, right)) {
					printed = append(printed, right)
					assigned = append(assigned, n.ChildByField("left"))
				}
			}
			for n := range p.Nodes("echo_statement", "print_intrinsic") {
				printed = append(printed, n.NamedChild(0))
			}
			for tag := range p.Nodes("php_tag") {
				if tag.Text() == "<?=" && tag.NextSibling().Kind() == "expression_statement" {
					printed = append(printed, tag.NextSibling().NamedChild(0))
				}
				if up := tag.Parent(); tag.Text() == "<?=" && up.Kind() == "text_interpolation" && up.NextSibling().Kind() == "expression_statement" {
					printed = append(printed, up.NextSibling().NamedChild(0))
				}
			}
			for _, n := range printed {
				parts := []syntax.Node{n}
				if n.Kind() == "sequence_expression" {
					parts = slices.Collect(n.NamedChildren())
				}
				for _, part := range parts {
					for _, o := range operands(p, part) {
						if tainted(p, o) && !checked(p, o, known) && !comparison(o) && !unforgeable.MatchString(o.Text()) &&
							!slices.ContainsFunc(assigned, func(a syntax.Node) bool { return a.Text() == o.Text() && a.End() < o.Start() }) {
							p.Report(n, o.Text())
						}
					}
				}
			}
		},
	}
}

// literals is the literal text of a concatenation or interpolated string.
func literals(p *rule.Pass, n syntax.Node) string {
	if n.Kind() == "binary_expression" && n.ChildByField("operator").Text() == "." {
		return literals(p, n.ChildByField("left")) + literals(p, n.ChildByField("right"))
	}
	s, _, _ := p.String(n)
	return s
}

// comparison tells whether n is true or false, not text.
func comparison(n syntax.Node) bool {
	return n.Kind() == "binary_expression" && slices.Contains([]string{"==", "===", "!=", "!==", "&&", "||", "and", "or", "<", ">"}, n.ChildByField("operator").Text())
}

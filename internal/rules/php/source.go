package php

import (
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// flow is the flow of request data over the file. A call is taken for a sanitizer when its name says so, or when the
// cleaning that a rule asks for is among names.
func flow(p *rule.Pass) *rule.Flow {
	return rule.Memo(p, "php.flow", func() *rule.Flow {
		safe := regexp.MustCompile(`(?i)escape|sanitiz|esc_|quote|encode|html|clean|filter|valid|purif|crypt|hash|md5|sha1|` +
			`crc32|absint|check|secure|safe|strip_tags|basename|is_|allowed|token|intval|number_format|date$|strtotime|` +
			`preg_match|array_search|in_array|constant|translate|lookup|^__?$|^\$\w+\.(get|find|fetch|load)`)
		verb := regexp.MustCompile(`%[0-9.$\-]*s|^\$`)
		functions := p.Unique(func(f rule.Node) string { return f.ChildByField("name").Text() }, "function_definition",
			"method_declaration")
		given := map[rule.Node]bool{} // parameters that some call in the file hands request data to
		return p.FlowThrough(rule.Taint{
			Source:    func(n rule.Node) bool { return request(p, n) },
			Parameter: func(_, param rule.Node) bool { return given[param] },
			Sanitizer: func(call rule.Node, callee string) bool {
				return safe.MatchString(callee) || callee == "sprintf" && !verb.MatchString(p.Arg(call, 0).Text())
			},
		}, func(flow *rule.Flow) bool { return spread(p, flow, functions, given) })
	})
}

// spread notes which parameters of the file's functions the flow reaches, and whether any of them is new.
func spread(p *rule.Pass, flow *rule.Flow, functions map[string]rule.Node, given map[rule.Node]bool) bool {
	test := regexp.MustCompile(`(?i)check|valid|allow|in_array|preg_match|^is_|exists|ctype|array_key`)
	more := false
	for _, call := range p.Calls() {
		function := functions[p.Method(call)]
		own := call.Kind() == "function_call_expression" || strings.HasPrefix(call.Text(), "$this->") ||
			strings.HasPrefix(call.Text(), "self::")
		if !own || !function.Valid() || (function.Kind() == "method_declaration") == (call.Kind() == "function_call_expression") {
			continue
		}
		args := p.Args(call)
		for i, param := range p.Parameters(function) {
			if i < len(args) && param.Kind() == "simple_parameter" && !param.ChildByField("type").Valid() && !given[param] &&
				flow.Tainted(args[i]) && !checked(p, args[i], test) {
				given[param] = true
				more = true
			}
		}
	}
	return more
}

// request tells whether n is data that the client chooses: the super-globals, those keys of $_SERVER that carry text of the
// request, and the body.
func request(p *rule.Pass, n rule.Node) bool {
	switch n.Kind() {
	case "variable_name":
		return rule.OneOf(n.Text(), "$_GET", "$_POST", "$_REQUEST", "$_COOKIE", "$HTTP_GET_VARS", "$HTTP_POST_VARS")
	case "subscript_expression":
		if n.NumNamed() == 2 && n.NamedChild(0).Text() == "$_SERVER" {
			key, _, _ := p.String(n.NamedChild(1))
			return rule.OneOf(key, "QUERY_STRING", "REQUEST_URI", "PHP_SELF", "PATH_INFO", "HTTP_REFERER", "HTTP_USER_AGENT",
				"HTTP_X_FORWARDED_FOR", "HTTP_HOST")
		}
	}
	return false
}

// operands gives the parts of a concatenation or an interpolated string that are no literal text.
func operands(p *rule.Pass, n rule.Node) []rule.Node {
	switch {
	case n.Kind() == "parenthesized_expression" && n.NumNamed() == 1:
		return operands(p, n.NamedChild(0))
	case n.Kind() == "binary_expression" && n.Operator() == ".":
		return append(operands(p, n.ChildByField("left")), operands(p, n.ChildByField("right"))...)
	case n.Is("encapsed_string", "heredoc"):
		inner := rule.Either(n.ChildByField("value"), n)
		return rule.Where(slices.Collect(inner.NamedChildren()), func(c rule.Node) bool { return !c.Is("string_content", "escape_sequence") })
	case p.IsString(n):
		return nil
	}
	return []rule.Node{n}
}

// head is the literal text with which an expression begins.
func head(p *rule.Pass, n rule.Node) string {
	switch {
	case n.Kind() == "parenthesized_expression" && n.NumNamed() == 1:
		return head(p, n.NamedChild(0))
	case n.Kind() == "binary_expression" && n.Operator() == ".":
		return head(p, n.ChildByField("left"))
	case n.Is("encapsed_string", "heredoc"):
		if c := rule.Either(n.ChildByField("value"), n).NamedChild(0); c.Is("string_content") {
			return c.Text()
		}
		return ""
	}
	s, _, _ := p.String(n)
	return s
}

// value is what a variable was given if its scope gives it a value exactly once, else n itself.
func value(p *rule.Pass, n rule.Node) rule.Node { return p.Only(p.Scope(n), n) }

// checked tells whether the scope of n, before n, calls one of the functions that the pattern names on the request data or a
// variable that n mentions.
func checked(p *rule.Pass, n rule.Node, pattern *regexp.Regexp) bool {
	names := keys(p, n)
	for c := range p.Scope(n).Find("function_call_expression", "member_call_expression", "scoped_call_expression") {
		if c.Start() >= n.End() {
			break
		}
		if !pattern.MatchString(p.Callee(c)) || c.Start() <= n.Start() && c.End() >= n.End() {
			continue
		}
		if c.Start() >= n.Start() && !tested(c) {
			continue
		}
		for _, a := range p.Args(c) {
			if slices.ContainsFunc(keys(p, a), func(name string) bool { return name != "$this" && slices.Contains(names, name) }) {
				return true
			}
		}
	}
	return false
}

// keys gives the variables in n, and in place of a super-global the elements of it that n reads.
func keys(p *rule.Pass, n rule.Node) []string {
	var all []string
	n.Walk(func(c rule.Node) bool {
		switch {
		case c.Kind() == "subscript_expression" && strings.HasPrefix(c.Text(), "$_"):
			key, _, _ := p.String(c.NamedChild(1))
			all = append(all, c.NamedChild(0).Text()+"."+key)
			return false
		case c.Kind() == "variable_name" && !strings.HasPrefix(c.Text(), "$_"):
			all = append(all, c.Text())
		}
		return true
	})
	return all
}

// tested tells whether n belongs to the condition of a conditional expression.
func tested(n rule.Node) bool {
	for n.Kind() != "conditional_expression" && n.Parent().Valid() {
		if n.Field() == "condition" {
			return true
		}
		n = n.Parent()
	}
	return false
}

// tainted tells whether n carries data of this request: not what an earlier request left behind, nor what an enclosing
// foreach takes from elsewhere.
func tainted(p *rule.Pass, n rule.Node) bool {
	if !flow(p).Tainted(n) || strings.HasPrefix(n.Text(), "$_SESSION") || strings.HasPrefix(n.Text(), "$GLOBALS") {
		return false
	}
	names := p.Names(n)
	for loop := n.Enclosing("foreach_statement"); loop.Valid(); loop = loop.Enclosing("foreach_statement") {
		if loop.NumNamed() < 2 || flow(p).Tainted(loop.NamedChild(0)) {
			continue
		}
		if slices.ContainsFunc(p.Names(loop.NamedChild(1)), func(bound string) bool { return slices.Contains(names, bound) }) {
			return false
		}
	}
	return true
}

package java

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// input is the flow of a request's text over the file, computed once: what the servlet API hands out, parameters that an
// annotation binds to the request, and what of these goes to and comes back from methods in the same file.
func input(p *rule.Pass) *rule.Flow {
	return rule.Memo(p, "java.input", func() *rule.Flow {
		safe := regexp.MustCompile(`(?i)escape|encode|sanitiz|encrypt|digest|hash|quote|clean|toRealPath|getCanonical|` +
			`FilenameUtils\.getName$|StringUtils\.cleanPath$`)
		carriers := []string{"URLDecoder.decode", "File", "URL", "URI", "String", "StringBuilder", "StringBuffer",
			"String.format", "Paths.get"}
		methods := p.Unique(func(m rule.Node) string { return signature(m.ChildByField("name").Text(), len(p.Parameters(m))) },
			"method_declaration")
		given := map[rule.Node]bool{} // parameters that some call in the file hands a request's text to
		giving := map[string]bool{}   // methods that return such text
		return p.FlowThrough(rule.Taint{
			Parameter: func(m, param rule.Node) bool { return given[param] || bound(m, param) },
			Sanitizer: func(_ rule.Node, callee string) bool { return safe.MatchString(callee) },
			Propagate: func(call rule.Node, callee string) bool {
				return slices.Contains(carriers, simple(callee)) || ownCall(p, call) && giving[signature(p.Method(call), len(p.Args(call)))]
			},
		}, func(flow *rule.Flow) bool { return spread(p, flow, methods, given, giving) })
	})
}

func signature(name string, parameters int) string { return fmt.Sprintf("%s/%d", name, parameters) }

// ownCall tells whether a call is one of a method of this file: without a receiver, on this, or on a new object.
func ownCall(p *rule.Pass, call rule.Node) bool {
	on := receiver(call)
	return call.Kind() == "method_invocation" && (!on.Valid() || on.Kind() == "this" || on.Kind() == "object_creation_expression")
}

// spread notes which parameters and results of the file's methods the flow reaches, and whether any of them is new.
func spread(p *rule.Pass, flow *rule.Flow, methods map[string]rule.Node, given map[rule.Node]bool, giving map[string]bool) bool {
	more := false
	for _, call := range p.Calls() {
		args := p.Args(call)
		method := methods[signature(p.Method(call), len(args))]
		if !method.Valid() || !ownCall(p, call) {
			continue
		}
		for i, param := range p.Parameters(method) {
			if t := param.ChildByField("type").Text(); !given[param] && (strings.HasSuffix(t, "String") || t == "String[]") &&
				flow.Tainted(args[i]) {
				given[param], more = true, true
			}
		}
	}
	for key, method := range methods {
		if !method.Valid() || giving[key] || method.ChildByField("type").Text() != "String" {
			continue
		}
		if rule.Any(method.Find("return_statement"), func(r rule.Node) bool { return flow.Tainted(r.NamedChild(0)) }) {
			giving[key], more = true, true
		}
	}
	return more
}

// callsTo gives the calls and the object creations whose callee is one of the names.
func callsTo(p *rule.Pass, names ...string) []rule.Node {
	return rule.Where(slices.Concat(p.Calls(), p.News()), func(n rule.Node) bool { return slices.Contains(names, callee(p, n)) })
}

// callee is the dotted name of what a call calls or creates, without the package in front of the class.
func callee(p *rule.Pass, n rule.Node) string { return simple(p.Callee(n)) }

// simple cuts the package off a dotted name: java.nio.file.Paths.get becomes Paths.get.
func simple(name string) string {
	rest := name
	for {
		head, tail, ok := strings.Cut(rest, ".")
		switch {
		case head != "" && head[0] >= 'A' && head[0] <= 'Z':
			return rest
		case !ok || head != strings.ToLower(head):
			return name // a variable, not a package
		}
		rest = tail
	}
}

// bound tells whether an annotation binds a parameter of text to the request.
func bound(_, param rule.Node) bool {
	m := param.NamedChild(0)
	if m.Kind() != "modifiers" {
		return false
	}
	for c := range m.NamedChildren() {
		switch name := c.ChildByField("name").Text(); name {
		case "RequestParam", "PathVariable", "RequestBody", "RequestHeader", "CookieValue", "QueryParam", "PathParam", "FormParam",
			"HeaderParam", "CookieParam", "MatrixParam":
			t := param.ChildByField("type").Text()
			return strings.Contains(t, "String") || strings.HasPrefix(t, "Map") || t == "MultipartFile" ||
				name == "RequestBody" && t == "byte[]"
		}
	}
	return false
}

// typeOf is the declared type of a variable visible at n, "" when the file declares it nowhere or differently twice.
func typeOf(p *rule.Pass, n rule.Node, name string) string {
	name = strings.TrimPrefix(name, "this.")
	if function := outermost(p, n); function.Valid() {
		if t, ok := declaredIn(function, name); ok {
			return t
		}
	}
	for class := p.Class(n); class.Valid(); class = p.Class(class) {
		if d := field(class, name); d.Valid() {
			return d.ChildByField("type").Text()
		}
	}
	return ""
}

// isOf tells whether n is a variable of one of the types.
func isOf(p *rule.Pass, n rule.Node, types ...string) bool {
	return rule.OneOf(typeOf(p, n, n.Text()), types...)
}

// outermost is the method around n, lambdas looked through.
func outermost(p *rule.Pass, n rule.Node) rule.Node {
	return n.Enclosing("method_declaration", "constructor_declaration", "compact_constructor_declaration", "static_initializer")
}

func declaredIn(function rule.Node, name string) (string, bool) {
	found, ok := "", false
	note := func(t string) {
		if ok && t != found {
			t = ""
		}
		found, ok = t, true
	}
	for d := range function.Find("local_variable_declaration", "formal_parameter", "resource", "enhanced_for_statement",
		"catch_formal_parameter") {
		t := d.ChildByField("type").Text()
		if d.Kind() != "local_variable_declaration" {
			if d.ChildByField("name").Text() == name {
				note(t)
			}
			continue
		}
		if declarator(d, name).Valid() {
			note(t)
		}
	}
	return found, ok
}

// field is the declaration of a class's own field.
func field(class rule.Node, name string) rule.Node {
	return rule.First(class.ChildByField("body").NamedChildren(), func(d rule.Node) bool {
		return d.Is("field_declaration") && declarator(d, name).Valid()
	})
}

// declarator is the part of a declaration that declares name.
func declarator(d rule.Node, name string) rule.Node {
	return rule.First(d.NamedChildren(), func(c rule.Node) bool {
		return c.Is("variable_declarator") && c.ChildByField("name").Text() == name
	})
}

// value is what a variable was given if the method gives it a value exactly once, else n itself.
func value(p *rule.Pass, n rule.Node) rule.Node { return p.Only(outermost(p, n), n) }

// parts gives the operands of a string concatenation in order, or n alone.
func parts(n rule.Node) []rule.Node {
	switch {
	case n.Kind() == "parenthesized_expression" && n.NumNamed() == 1:
		return parts(n.NamedChild(0))
	case n.Kind() == "binary_expression" && n.Operator() == "+":
		return append(parts(n.ChildByField("left")), parts(n.ChildByField("right"))...)
	}
	return []rule.Node{n}
}

// receiver is the object a method is called on, the zero Node when it is called without one.
func receiver(call rule.Node) rule.Node { return call.ChildByField("object") }

package python

import (
	"regexp"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

// inputFlow follows the data of requests: what the frameworks' request objects hold, the parameters of route handlers,
// and one step further, what functions of the same file are called with.
func inputFlow(p *rule.Pass) *rule.Flow { return follow(p, "python.input", rule.Taint{}) }

// remoteFlow follows, besides, what comes over sockets and HTTP clients.
func remoteFlow(p *rule.Pass) *rule.Flow {
	return follow(p, "python.remote", rule.Taint{Source: func(n rule.Node) bool {
		if p.UserInput(n) {
			return true
		}
		if n.Kind() != "call" {
			return false
		}
		switch name := callee(p, n); name {
		case "requests.get", "requests.post", "urllib.request.urlopen", "urllib2.urlopen", "httpx.get", "httpx.post":
			return true
		default:
			m := rule.LastName(name)
			return (m == "recv" || m == "recvfrom") && len(p.Args(n)) == 1
		}
	}})
}

// follow computes the flow of t once a file, under key.
func follow(p *rule.Pass, key string, t rule.Taint) *rule.Flow {
	return rule.Memo(p, key, func() *rule.Flow {
		if t.Parameter == nil {
			t.Parameter = func(fn, prm rule.Node) bool { return routeParameter(p, fn, prm) }
		}
		routed := t.Parameter
		t.Propagate = func(call rule.Node, _ string) bool {
			// A pattern that names what may stay cleans; one that takes something away does not.
			return callee(p, call) == "re.sub" && !strings.Contains(p.Arg(call, 0).Text(), "[^") &&
				!strings.Contains(p.Arg(call, 0).Text(), `\W`)
		}
		flow := p.Flow(t)
		given := givenTainted(p, flow)
		if len(given) == 0 {
			return flow
		}
		t.Parameter = func(fn, prm rule.Node) bool { return given[prm] || routed(fn, prm) }
		return p.Flow(t)
	})
}

// givenTainted finds the parameters of this file's functions that some call in the file gives an untrusted value.
func givenTainted(p *rule.Pass, flow *rule.Flow) map[rule.Node]bool {
	functions := p.Unique(func(fn rule.Node) string { return fn.ChildByField("name").Text() }, "function_definition")
	given := map[rule.Node]bool{}
	for _, call := range p.Calls() {
		name, method := strings.CutPrefix(p.Callee(call), "self.")
		fn := functions[name]
		if class := p.Class(fn); !fn.Valid() || method != class.Valid() || method && class != p.Class(call) {
			continue
		}
		params := p.Parameters(fn)
		if method && len(params) > 0 {
			params = params[1:]
		}
		for i, a := range p.Args(call) {
			if i < len(params) && params[i].Kind() != "list_splat_pattern" && a.Kind() != "list_splat" && flow.Tainted(a) {
				given[params[i]] = true
			}
		}
	}
	return given
}

var (
	route      = regexp.MustCompile(`\.(route|get|post|put|patch|delete|websocket|api_route)\(`)
	textTyped  = regexp.MustCompile(`:\s*(str|Optional\[str\]|str\s*\|\s*None|Annotated\[\s*str|bytes)`)
	pathHolder = regexp.MustCompile(`[<{](?:(\w+)(?:\([^)]*\))?:)?(\w+)(?::path)?[>}]`)
)

// routeParameter tells whether a framework fills the parameter with text of the request's address.
func routeParameter(p *rule.Pass, fn, prm rule.Node) bool {
	outer := fn.Parent()
	if outer.Kind() != "decorated_definition" {
		return false
	}
	name := prm.Text()
	if n := prm.ChildByField("name"); n.Valid() {
		name = n.Text()
	} else if prm.NumNamed() > 0 && prm.Kind() != "identifier" {
		name = prm.NamedChild(0).Text()
	}
	for d := range outer.NamedChildren() {
		text := d.Text()
		if d.Kind() != "decorator" || !route.MatchString(text) {
			continue
		}
		if imported(p, "fastapi") && textTyped.MatchString(prm.Text()) && !strings.Contains(prm.Text(), "Depends(") &&
			!strings.Contains(prm.Text(), "pattern=") {
			return true
		}
		if prm.Kind() != "identifier" && !textTyped.MatchString(prm.Text()) {
			continue
		}
		for _, m := range pathHolder.FindAllStringSubmatch(text, -1) {
			if m[2] == name && !rule.OneOf(m[1], "int", "float", "uuid") {
				return true
			}
		}
	}
	return false
}

// wholePath: a route parameter holds no slash unless the route says path, so it cannot climb out of a directory.
func wholePath(p *rule.Pass) func(fn, prm rule.Node) bool {
	return func(fn, prm rule.Node) bool {
		outer := fn.Parent()
		if !routeParameter(p, fn, prm) {
			return false
		}
		for d := range outer.NamedChildren() {
			if d.Kind() == "decorator" && route.MatchString(d.Text()) {
				text := d.Text()
				name := append(p.Names(prm), "")[0]
				return strings.Contains(text, "<path:"+name+">") || strings.Contains(text, "{"+name+":path}") ||
					!strings.Contains(text, "<"+name+">") && !strings.Contains(text, "{"+name+"}") && !strings.Contains(text, ":"+name+">")
			}
		}
		return false
	}
}

package javascript

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var keyGuard = regexp.MustCompile(`__proto__|prototype|hasOwn|Object\.create\(null\)|isSafeKey|new Map|isPrototypePolluted|\.has\(|Object\.prototype|isUnsafe|unsafe|forbidden|blocked|isPlainObject`)

// prototypePollution looks for merges that recurse into keys they do not check.
func prototypePollution() rule.Rule {
	return rule.Rule{
		ID: "javascript/prototype-pollution", Title: "Recursive merge follows the key __proto__",
		Category: "injection", CWE: "CWE-1321", Severity: "high", Languages: languages, Confidence: 0.8, InTests: rule.SkipInTests,
		Explanation: "JSON.parse keeps a key called __proto__. The merge then walks into Object.prototype and sets properties that every object of the program has from then on, such as isAdmin.",
		Suggestion:  "Skip __proto__, constructor and prototype, or merge into Object.create(null) or a Map.",
		Bad: []rule.Sample{
			{Source: "function merge(target, source) {\n  for (const key in source) {\n    if (typeof source[key] === 'object') {\n      merge(target[key], source[key]);\n    } else {\n      target[key] = source[key];\n    }\n  }\n  return target;\n}\n"},
			{Source: "const extend = (a, b) => {\n  for (let k of Object.keys(b)) {\n    if (b[k] instanceof Object) {\n      a[k] = extend(a[k] || {}, b[k]);\n    } else {\n      a[k] = b[k];\n    }\n  }\n  return a;\n};\n"},
		},
		Good: []rule.Sample{
			{Source: "function merge(target, source) {\n  for (const key in source) {\n    if (key === '__proto__') continue;\n    if (typeof source[key] === 'object') {\n      merge(target[key], source[key]);\n    } else {\n      target[key] = source[key];\n    }\n  }\n  return target;\n}\n"},
			{Source: "function copy(source) {\n  const out = {};\n  for (const key in source) {\n    out[key] = source[key];\n  }\n  return out;\n}\n"},
			{Source: "function clone(v) {\n  const out = {};\n  for (const k in v) {\n    out[k] = typeof v[k] === 'object' ? clone(v[k]) : v[k];\n  }\n  return out;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for loop := range p.Nodes("for_in_statement") {
				fn := p.Function(loop)
				name := fn.ChildByField("name").Text()
				if name == "" && fn.Parent().Kind() == "variable_declarator" {
					name = fn.Parent().ChildByField("name").Text()
				}
				params := p.ParameterNames(fn)
				if name == "" || len(params) < 2 {
					continue
				}
				if call := mergesInto(p, loop, name, params[0]); call.Valid() && !keyGuard.MatchString(fn.Text()) {
					p.Report(call, "")
				}
			}
		},
	}
}

// mergesInto finds, in a loop over keys, the recursion into target[key] beside
// an assignment to target[key].
func mergesInto(p *rule.Pass, loop syntax.Node, name, target string) syntax.Node {
	key := loop.ChildByField("left").Text()
	slot := target + "[" + key + "]"
	writes := false
	var recursion syntax.Node
	for n := range loop.Find("assignment_expression", "call_expression") {
		switch n.Kind() {
		case "assignment_expression":
			writes = writes || n.ChildByField("left").Text() == slot
		case "call_expression":
			if rule.LastName(p.Callee(n)) != name {
				continue
			}
			first := unwrap(p.Arg(n, 0))
			if first.Kind() == "binary_expression" { // a[k] || {}
				first = first.ChildByField("left")
			}
			if first.Text() == slot {
				recursion = n
			}
		}
	}
	if !writes {
		return syntax.Node{}
	}
	return recursion
}

package javascript

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

var typeofWords = []string{"undefined", "object", "boolean", "number", "string", "function", "symbol", "bigint"}

// impossibleComparison looks for comparisons whose result never changes.
func impossibleComparison() rule.Rule {
	return rule.Rule{
		ID: "javascript/constant-comparison", Title: "Comparison whose result never changes",
		Category: "comparison", CWE: "CWE-697", Severity: "medium", Languages: languages, Confidence: 0.9, InTests: rule.SkipInTests,
		Explanation: "NaN equals nothing, itself included; typeof yields one of eight words; a fresh object or array equals no other; x !== a || x !== b holds for every x. The branch is always or never taken.",
		Suggestion:  "Use Number.isNaN(x), the right word, a comparison of contents, or && between exclusions.",
		Bad: []rule.Sample{
			{Source: "if (count === NaN) {\n  reset();\n}\n"},
			{Source: "const isText = typeof value === 'String';\n"},
			{Source: "function allowed(role) {\n  return role !== 'admin' || role !== 'owner';\n}\n"},
			{Source: "if (list == []) {\n  stop();\n}\n"},
			{Source: "const same = (a, b) => a.x === b.x && a.y === a.y;\n"},
		},
		Good: []rule.Sample{
			{Source: "if (Number.isNaN(count)) {\n  reset();\n}\n"},
			{Source: "const isText = typeof value === 'string' || typeof value === kind;\n"},
			{Source: "function allowed(role) {\n  return role !== 'admin' && role !== 'owner';\n}\n"},
			{Source: "const isNaN_ = (x) => x !== x;\n"},
			{Source: "if (list.length === 0) {\n  stop();\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("binary_expression") {
				l, r, op := unwrap(n.ChildByField("left")), unwrap(n.ChildByField("right")), operator(n)
				switch op {
				case "==", "===", "!=", "!==", "<", ">", "<=", ">=":
					equality := op[0] == '=' || op[0] == '!'
					switch {
					case nan(l) || nan(r):
						p.Report(n, "no value compares with NaN")
					case equality && (wrongTypeof(p, l, r) || wrongTypeof(p, r, l)):
						p.Report(n, "typeof never gives this word")
					case equality && (fresh(l, op) || fresh(r, op)):
						p.Report(n, "a fresh object is equal to no other")
					case !equality && l.Text() == r.Text() && stable(l), equality && op[0] == '=' && l.Text() == r.Text() && stable(l) && l.Kind() == "member_expression":
						p.Report(n, "both sides are the same")
					}
				case "||", "&&":
					if contradicts(l, r, op) {
						p.Report(n, "")
					}
				}
			}
		},
	}
}

func nan(n syntax.Node) bool {
	return n.Kind() == "identifier" && n.Text() == "NaN" || n.Text() == "Number.NaN"
}

func wrongTypeof(p *rule.Pass, l, r syntax.Node) bool {
	if l.Kind() != "unary_expression" || operator(l) != "typeof" || r.Kind() != "string" {
		return false
	}
	s, _, _ := p.String(r)
	return !slices.Contains(typeofWords, s) && s != "unknown" // old Internet Explorer
}

// fresh tells whether n makes a new object. [] == 0 and the like convert and
// are left alone when the other side may be a primitive; only an empty or
// literal object under === or == counts.
func fresh(n syntax.Node, _ string) bool {
	return n.Kind() == "object" || n.Kind() == "array"
}

// stable tells whether n gives the same value when read twice: plain names and
// members.
func stable(n syntax.Node) bool {
	switch n.Kind() {
	case "identifier", "this":
		return true
	case "member_expression":
		return stable(unwrap(n.ChildByField("object")))
	}
	return false
}

// contradicts matches x !== A || x !== B and x === A && x === B for different
// literals of one kind.
func contradicts(l, r syntax.Node, op string) bool {
	if l.Kind() != "binary_expression" || r.Kind() != "binary_expression" || operator(l) != operator(r) {
		return false
	}
	if c := operator(l); op == "||" && c != "!=" && c != "!==" || op == "&&" && c != "==" && c != "===" {
		return false
	}
	a, b := l.ChildByField("right"), r.ChildByField("right")
	literals := a.Kind() == "string" && b.Kind() == "string" || a.Kind() == "number" && b.Kind() == "number"
	x := l.ChildByField("left")
	return literals && a.Text() != b.Text() && stable(x) && x.Text() == r.ChildByField("left").Text()
}

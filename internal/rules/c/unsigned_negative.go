package c

import (
	"regexp"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func unsignedNegative() rule.Rule {
	unsigned := regexp.MustCompile(`^(unsigned\b.*|size_t|u?int(8|16|32|64)_t|u?int_?(fast|least)\d+_t|uintptr_t|uintmax_t|uint|ulong|u_?int\d*(_t)?)$`)
	signed := regexp.MustCompile(`^int`)
	return rule.Rule{
		ID: "c/unsigned-negative", Title: "an unsigned variable is tested for a negative value",
		Category: "comparison", CWE: "CWE-570", Severity: "medium", Confidence: 0.92,
		Languages: []string{"c"},
		Explanation: "An unsigned number is never below zero: x < 0 is never true, so the error it should catch (say, -1 from read) passes as a huge " +
			"positive number, and x >= 0 is always true, so a loop that counts down wraps around and never ends.",
		Suggestion: "Use a signed type (ssize_t, int) for values that can be negative; count down with while (i-- > 0).",
		Bad: []rule.Sample{
			{Source: "int load(int fd, char *b) {\n    size_t n = read(fd, b, 100);\n    if (n < 0)\n        return -1;\n    return 0;\n}\n"},
			{Source: "void back(int *v, unsigned int n) {\n    unsigned int i;\n    for (i = n - 1; i >= 0; i--)\n        put(v[i]);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "int load(int fd, char *b) {\n    ssize_t n = read(fd, b, 100);\n    if (n < 0)\n        return -1;\n    return 0;\n}\n"},
			{Source: "void back(int *v, unsigned int n) {\n    int i;\n    for (i = (int)n - 1; i >= 0; i--)\n        put(v[i]);\n}\n"},
			{Source: "int any(unsigned *n) {\n    return n > 0;\n}\n"},
			{Source: "int some(size_t n) {\n    return n > 0;\n}\n"},
			{Source: "int range(unsigned n) {\n    return n < 0 || n > 128;\n}\n"},
			{Source: "int below(int32_t n) {\n    return n < 0;\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("binary_expression") {
				left, right, op := bare(n.ChildByField("left")), bare(n.ChildByField("right")), operator(n)
				if left.Text() == "0" {
					left, right = right, left
					op = map[string]string{">": "<", "<=": ">="}[op]
				}
				if right.Text() != "0" || op != "<" && op != ">=" || left.Kind() != "identifier" || castSigned(n) || ranged(n, left.Text()) {
					continue
				}
				v, ok := variables(p, p.Function(n))[left.Text()]
				if ok && v.pointers == 0 && !v.array && unsigned.MatchString(v.typ) && !signed.MatchString(v.typ) {
					p.Report(n, "")
				}
			}
		},
	}
}

// castSigned tells whether an operand is cast, which makes the test one of another type.
func castSigned(n syntax.Node) bool {
	for c := range n.NamedChildren() {
		for c.Kind() == "parenthesized_expression" && c.NumNamed() == 1 {
			c = c.NamedChild(0)
		}
		if c.Kind() == "cast_expression" {
			return true
		}
	}
	return false
}

// ranged tells whether the test is one half of a range check (x < 0 || x > limit), whose other half catches the
// values that wrapped around.
func ranged(n syntax.Node, name string) bool {
	up := n.Parent()
	for up.Kind() == "parenthesized_expression" {
		up = up.Parent()
	}
	if up.Kind() != "binary_expression" {
		return false
	}
	for c := range up.Find("binary_expression") {
		if op := operator(c); c != n && (op == ">" || op == ">=" || op == "<" || op == "<=") && c.ChildByField("right").Text() != "0" &&
			(c.ChildByField("left").Text() == name || c.ChildByField("right").Text() == name) {
			return true
		}
	}
	return false
}

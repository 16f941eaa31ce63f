package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func charEOF() rule.Rule {
	return rule.Rule{
		ID: "c/char-eof", Title: "the result of getchar is kept in a char and compared with EOF",
		Category: "comparison", CWE: "CWE-197", Severity: "medium", Confidence: 0.95,
		Languages: []string{"c"},
		Explanation: "getc returns an int: 256 byte values and EOF, which is none of them. Stored in a char, EOF and the byte 0xFF become the same: " +
			"where char is signed the input ends early at a ÿ, where it is unsigned (ARM) the comparison is never true and the loop never ends.",
		Suggestion: "Declare the variable as int.",
		Bad: []rule.Sample{
			{Source: "void copy(FILE *in) {\n    char c;\n    while ((c = fgetc(in)) != EOF)\n        putchar(c);\n}\n"},
			{Source: "void copy(void) {\n    unsigned char c = getchar();\n    while (c != EOF) {\n        putchar(c);\n        c = getchar();\n    }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "void copy(FILE *in) {\n    int c;\n    while ((c = fgetc(in)) != EOF)\n        putchar(c);\n}\n"},
			{Source: "void copy(FILE *in) {\n    char c;\n    int r;\n    while ((r = fgetc(in)) != EOF) {\n        c = (char)r;\n        put(c);\n    }\n}\n"},
			{Source: "void key(void) {\n    char c = getchar();\n    if (c == 'q')\n        quit();\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for n := range p.Nodes("binary_expression") {
				if op := operator(n); op != "==" && op != "!=" || n.ChildByField("right").Text() != "EOF" {
					continue
				}
				left := bare(n.ChildByField("left"))
				if left.Kind() == "assignment_expression" {
					left = left.ChildByField("left")
				}
				function := p.Function(n)
				v, ok := variables(p, function)[left.Text()]
				if !ok || v.pointers > 0 || v.array || v.param || !strings.HasSuffix(v.typ, "char") {
					continue
				}
				for _, a := range p.Assignments(function) {
					if a.Target.Text() == v.name && slices.Contains([]string{"getchar", "getc", "fgetc", "getc_unlocked", "getchar_unlocked"}, p.Callee(bare(a.Value))) {
						p.Report(n, "")
						break
					}
				}
			}
		},
	}
}

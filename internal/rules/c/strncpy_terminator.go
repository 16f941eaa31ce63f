package c

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func strncpyTerminator() rule.Rule {
	readers := []string{"printf", "fprintf", "puts", "fputs", "strlen", "strcmp", "strcasecmp", "strcpy", "strcat", "strdup", "strchr", "strrchr", "strstr",
		"open", "fopen", "unlink", "chdir", "mkdir", "system", "syslog", "strtok", "atoi", "sprintf", "snprintf", "stat", "opendir"}
	return rule.Rule{
		ID: "c/strncpy-terminator", Title: "strncpy or strncat with the buffer's full size, without room for the terminator",
		Category: "memory-safety", CWE: "CWE-170", Severity: "medium", Confidence: 0.85,
		Languages: []string{"c"},
		Explanation: "strncpy writes no terminating NUL when the source is as long as the limit, and the buffer is read as a string afterwards: " +
			"the read runs on into the memory behind it. strncat's limit is what may be appended, not the buffer's size, and the NUL comes " +
			"on top, so a full buffer is overrun.",
		Suggestion: "strncpy(b, s, sizeof b - 1); b[sizeof b - 1] = 0; or snprintf(b, sizeof b, \"%s\", s). For strncat pass sizeof b - strlen(b) - 1.",
		Bad: []rule.Sample{
			{Source: "void greet(const char *name) {\n    char b[32];\n    strncpy(b, name, sizeof(b));\n    printf(\"hello %s\\n\", b);\n}\n"},
			{Source: "#define N 64\nFILE *get(const char *path) {\n    char b[N];\n    strncpy(b, path, N);\n    return fopen(b, \"r\");\n}\n"},
			{Source: "void join(const char *a, const char *z) {\n    char b[32] = \"/\";\n    strncat(b, a, sizeof b);\n    puts(b);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "void greet(const char *name) {\n    char b[32];\n    strncpy(b, name, sizeof(b));\n    b[sizeof(b) - 1] = '\\0';\n    printf(\"hello %s\\n\", b);\n}\n"},
			{Source: "void greet(const char *name) {\n    char b[32] = {0};\n    strncpy(b, name, sizeof(b) - 1);\n    puts(b);\n}\n"},
			{Source: "void label(struct record *r, const char *name) {\n    strncpy(r->tag, name, sizeof(r->tag));\n}\n"},
			{Source: "void wire(int fd, const char *name) {\n    char b[32];\n    strncpy(b, name, sizeof(b));\n    write(fd, b, sizeof(b));\n}\n"},
			{Source: "void idle(void) {\n    char b[32];\n    strncpy(b, \"idle\", sizeof(b));\n    puts(b);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				name, args := p.Callee(call), p.Args(call)
				if name != "strncpy" && name != "strncat" || len(args) != 3 || p.IsString(args[1]) {
					continue
				}
				function := p.Function(call)
				v, ok := variables(p, function)[args[0].Text()]
				if !ok || !v.chars() || !fullSize(args[2], v) {
					continue
				}
				if name == "strncat" || !terminated(function, v.name) && readAfter(p, function, call, v.name, readers) {
					p.Report(call, "")
				}
			}
		},
	}
}

func fullSize(n syntax.Node, v variable) bool {
	n = bare(n)
	return sizeofName(n) == v.name || n.Text() == v.size.Text() && (n.Kind() == "number_literal" || n.Kind() == "identifier")
}

// terminated tells whether some element of the array is assigned on its own.
func terminated(function syntax.Node, name string) bool {
	for a := range function.Find("assignment_expression") {
		left := a.ChildByField("left")
		if left.Kind() == "subscript_expression" && left.ChildByField("argument").Text() == name || left.Kind() == "pointer_expression" {
			return true
		}
	}
	return false
}

func readAfter(p *rule.Pass, function, call syntax.Node, name string, readers []string) bool {
	for c := range function.Find("call_expression") {
		if c.Start() > call.End() && slices.Contains(readers, p.Callee(c)) &&
			slices.ContainsFunc(p.Args(c), func(a syntax.Node) bool { return bare(a).Text() == name }) {
			return true
		}
	}
	return false
}

package c

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func formatString() rule.Rule {
	position := map[string]int{"printf": 0, "fprintf": 1, "sprintf": 1, "snprintf": 2, "syslog": 1, "dprintf": 1, "warnx": 0, "warn": 0, "err": 1, "errx": 1}
	return rule.Rule{
		ID: "c/format-string", Title: "text that is not a constant is used as a printf format",
		Category: "injection", CWE: "CWE-134", Severity: "high", Confidence: 0.8,
		Languages: []string{"c"},
		Explanation: "A percent sign in the text is taken for a conversion: %s and %x read arguments that were never passed and print what lies " +
			"on the stack, %n writes to an address found there. Even harmless text such as \"100% sure\" prints garbage or crashes.",
		Suggestion: "Print it as an argument: printf(\"%s\", text), or fputs(text, stdout).",
		Bad: []rule.Sample{
			{Source: "void report(const char *message) {\n    fprintf(stderr, message);\n}\n"},
			{Source: "void line(FILE *in) {\n    char text[100];\n    if (fgets(text, sizeof text, in))\n        printf(text);\n}\n"},
			{Source: "int main(int argc, char **argv) {\n    syslog(LOG_INFO, argv[1]);\n    return 0;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "void report(const char *message) {\n    fprintf(stderr, \"%s\", message);\n}\n"},
			{Source: "void report(const char *fmt, int n) {\n    printf(fmt, n);\n}\n"},
			{Source: "static const char banner[] = \"ready\\n\";\nvoid hello(void) { printf(banner); }\n"},
			{Source: "void hello(int many) {\n    const char *text = \"one\\n\";\n    if (many)\n        text = \"many\\n\";\n    printf(text);\n}\n"},
			{Source: "void hello(void) { printf(_(\"hello\\n\")); }\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				at, ok := position[p.Callee(call)]
				args := p.Args(call)
				if !ok || len(args) != at+1 {
					continue
				}
				function, format := p.Function(call), bare(args[at])
				vars := variables(p, function)
				if name := format.Text(); format.Kind() == "identifier" {
					v, ok := vars[name]
					low := strings.ToLower(name)
					if !ok || v.constant && v.array || strings.Contains(low, "fmt") || strings.Contains(low, "format") || !strings.HasSuffix(v.typ, "char") {
						continue
					}
					if !v.param && !v.chars() || onlyConstants(p, v, p.Assignments(function)) {
						continue
					}
					if v.chars() && !filled(p, call.Start(), name) {
						continue
					}
					p.Report(call, "")
				} else if outside(p, vars, format) {
					p.Report(call, "")
				}
			}
		},
	}
}

// onlyConstants tells whether every value that a local is given in its function is a constant.
func onlyConstants(p *rule.Pass, v variable, assignments []rule.Assignment) bool {
	if v.param {
		return false
	}
	seen := false
	for _, a := range assignments {
		if a.Target.Text() == v.name || strings.TrimLeft(a.Target.Text(), "* ") == v.name {
			seen = true
			if !p.Constant(a.Value) {
				return false
			}
		}
	}
	return seen
}

// filled tells whether a call before at writes text from elsewhere into the array.
func filled(p *rule.Pass, at int, name string) bool {
	for _, c := range p.Calls() {
		if c.Start() >= at || !slices.Contains([]string{"fgets", "gets", "read", "recv", "recvfrom", "fread", "strcpy", "strncpy", "strcat", "strncat", "snprintf", "sprintf", "memcpy", "strlcpy", "vsnprintf", "vsprintf"}, p.Callee(c)) {
			continue
		}
		args := p.Args(c)
		for i, a := range args {
			if i < 2 && bare(a).Text() == name {
				rest := args[i+1:]
				return !slices.ContainsFunc(rest, p.IsString) || len(rest) > 2
			}
		}
	}
	return false
}

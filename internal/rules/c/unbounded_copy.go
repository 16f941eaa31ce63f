package c

import (
	"regexp"
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func unboundedCopy() rule.Rule {
	wholeString := regexp.MustCompile(`%-?[0-9]*s`) // a %s whose output no precision bounds
	return rule.Rule{
		ID: "c/unbounded-copy", Title: "text of unknown length is copied into an array of fixed length",
		Category: "memory-safety", CWE: "CWE-120", Severity: "high", Confidence: 0.8,
		Languages: []string{"c"},
		Explanation: "strcpy, strcat and sprintf write until the source ends, not until the destination is full. The destination is an array " +
			"on this function's stack and the source comes from the caller, the command line or the environment, and its length is not " +
			"looked at before. A longer text overwrites neighbouring variables and the return address.",
		Suggestion: "Use snprintf(buffer, sizeof buffer, \"%s\", source) and treat a result >= sizeof buffer as an error, or check the length first.",
		Bad: []rule.Sample{
			{Source: "void greet(const char *name) {\n    char line[64];\n    strcpy(line, name);\n    puts(line);\n}\n"},
			{Source: "int main(int argc, char **argv) {\n    char path[256];\n    sprintf(path, \"/var/lib/app/%s.db\", argv[1]);\n    return remove(path);\n}\n"},
			{Source: "void home(void) {\n    char path[128] = \"\";\n    strcat(path, getenv(\"HOME\"));\n    chdir(path);\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "int greet(const char *name) {\n    char line[64];\n    if (strlen(name) >= sizeof line)\n        return -1;\n    strcpy(line, name);\n    return puts(line);\n}\n"},
			{Source: "void greet(const char *name) {\n    char line[64];\n    snprintf(line, sizeof line, \"hello %s\", name);\n    puts(line);\n}\n"},
			{Source: "void mode(void) {\n    char line[64];\n    strcpy(line, \"idle\");\n    puts(line);\n}\n"},
			{Source: "void number(const char *unit, int n) {\n    char line[64];\n    sprintf(line, \"%d %.8s\", n, unit);\n    puts(line);\n}\n"},
			{Source: "static void row(const char *tag) {\n    char line[64];\n    strcpy(line, tag);\n    puts(line);\n}\nvoid rows(void) {\n    row(\"first\");\n    row(\"second\");\n}\n"},
			{Source: "void copy(char *to, const char *from) {\n    strcpy(to, from);\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				name, args := p.Callee(call), p.Args(call)
				if len(args) < 2 || !slices.Contains([]string{"strcpy", "strcat", "stpcpy", "sprintf"}, name) {
					continue
				}
				function := p.Function(call)
				vars := variables(p, function)
				buffer, ok := vars[args[0].Text()]
				if !ok || !buffer.chars() || p.InTest() {
					continue
				}
				sources := args[1:2]
				if name == "sprintf" {
					format, _, literal := p.String(args[1])
					if !literal || !wholeString.MatchString(format) {
						continue
					}
					sources = args[2:]
				}
				at := slices.IndexFunc(sources, func(s syntax.Node) bool {
					return outside(p, vars, s) && !measured(p, function, s, call.Start()) && !reassigned(p, function, bare(s).Text())
				})
				if at < 0 || compared(function, call.Start(), args[0].Text()) {
					continue
				}
				severity := "high"
				if bare(sources[at]).Kind() == "identifier" {
					severity = "medium" // some callers may keep to a length
				}
				p.ReportAs(call, severity, bare(sources[at]).Text())
			}
		},
	}
}

// reassigned tells whether the function gives the variable another value, which may be bounded.
func reassigned(p *rule.Pass, function syntax.Node, name string) bool {
	return slices.ContainsFunc(p.Assignments(function), func(a rule.Assignment) bool { return a.Target.Text() == name })
}

// compared tells whether some condition before at looks at the size of the buffer.
func compared(function syntax.Node, at int, buffer string) bool {
	for s := range function.Find("sizeof_expression") {
		if s.Start() >= at {
			return false
		}
		if sizeofName(s) == buffer && s.Enclosing("binary_expression").Valid() {
			return true
		}
	}
	return false
}

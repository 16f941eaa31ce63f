package c

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func getsCall() rule.Rule {
	return rule.Rule{
		ID: "c/gets", Title: "gets() reads a line of any length into a buffer of fixed length",
		Category: "memory-safety", CWE: "CWE-242", Severity: "critical", Confidence: 0.98,
		Languages: []string{"c"},
		Explanation: "gets() does not know how long its buffer is. A line that is longer than the buffer overwrites what lies behind it " +
			"on the stack, the return address included, so whoever writes the input decides what runs. C11 removed the function.",
		Suggestion: "Call fgets(buffer, sizeof buffer, stdin) and strip the newline, or getline().",
		Bad: []rule.Sample{
			{Source: "#include <stdio.h>\nint main(void) {\n    char line[80];\n    gets(line);\n    puts(line);\n    return 0;\n}\n"},
			{Source: "int ask(char *answer) {\n    printf(\"name? \");\n    return gets(answer) != NULL;\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "int main(void) {\n    char line[80];\n    if (fgets(line, sizeof line, stdin) == NULL)\n        return 1;\n    return 0;\n}\n"},
			{Source: "static char *gets(struct port *port, char *to) { return port_line(port, to); }\nvoid f(struct port *p, char *b) { gets(p, b); }\n"},
			{Source: "void f(struct console *con, char *b) { con->gets(b); }\n"},
		},
		Check: func(p *rule.Pass) {
			for d := range p.Nodes("function_declarator") {
				if d.ChildByField("declarator").Text() == "gets" {
					return // the program's own gets
				}
			}
			for d := range p.Nodes("preproc_def", "preproc_function_def") {
				if d.ChildByField("name").Text() == "gets" {
					return
				}
			}
			for _, call := range p.Calls() {
				if p.Callee(call) == "gets" && len(p.Args(call)) == 1 {
					p.Report(call, "")
				}
			}
		},
	}
}

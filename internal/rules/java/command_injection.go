package java

import (
	"slices"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

func commandInjection() rule.Rule {
	return rule.Rule{
		ID: "java/command-injection", Title: "a command line is built from text that comes from outside",
		Category: "injection", CWE: "CWE-78", Severity: "high", Confidence: 0.85,
		Languages: []string{"java"},
		Explanation: "Text of a request or a caller becomes part of a command. With a shell in front of it (sh -c, cmd /c) a semicolon or a backtick starts " +
			"another command; without one, spaces still add options and arguments to the program.",
		Suggestion: "Pass the program and each argument as its own string to ProcessBuilder, without a shell, and check the argument against a list or pattern.",
		Bad: []rule.Sample{
			{Source: "class Ping {\n  void ping(HttpServletRequest request) throws IOException {\n    Runtime.getRuntime().exec(\"ping -c 1 \" + request.getParameter(\"host\"));\n  }\n}\n"},
			{Source: "class Pack {\n  void pack(String dir) throws IOException {\n    new ProcessBuilder(\"sh\", \"-c\", \"tar czf out.tgz \" + dir).start();\n  }\n}\n"},
			{Source: "class Pack {\n  void pack(String dir) throws IOException {\n    String[] cmd = {\"/bin/bash\", \"-c\", \"ls \" + dir};\n    Runtime.getRuntime().exec(cmd);\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Pack {\n  void pack(String dir) throws IOException {\n    new ProcessBuilder(\"tar\", \"czf\", \"out.tgz\", dir).start();\n  }\n}\n"},
			{Source: "class Pack {\n  void clean() throws IOException {\n    Runtime.getRuntime().exec(\"rm -rf /tmp/build\");\n  }\n}\n"},
			{Source: "class Pack {\n  void wait(int seconds) throws IOException {\n    new ProcessBuilder(\"sh\", \"-c\", \"sleep \" + seconds).start();\n  }\n}\n"},
			{Source: "class Pool {\n  void run(HttpServletRequest request) {\n    executor.exec(\"task \" + request.getParameter(\"id\"));\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				if p.Method(call) != "exec" {
					continue
				}
				on := simple(p.Dotted(value(p, receiver(call))))
				if on != "Runtime.getRuntime" && typeOf(p, call, receiver(call).Text()) != "Runtime" {
					continue
				}
				command := value(p, p.Arg(call, 0))
				if shellText(p, command) || input(p).Tainted(command) {
					p.Report(call, "")
				}
			}
			for _, call := range p.Calls() {
				if p.Method(call) == "command" && typeOf(p, call, receiver(call).Text()) == "ProcessBuilder" && input(p).AnyTainted(p.Args(call)) {
					p.Report(call, "")
				}
			}
			for _, n := range p.News() {
				if callee(p, n) == "ProcessBuilder" {
					if shellText(p, n) || input(p).Tainted(p.Arg(n, 0)) {
						p.Report(n, "")
					}
				}
			}
		},
	}
}

// shellText tells whether n lists a shell, -c and a concatenation with a String variable in it.
func shellText(p *rule.Pass, n syntax.Node) bool {
	var words []syntax.Node
	if n.Kind() == "object_creation_expression" {
		words = p.Args(n)
		if len(words) == 1 {
			n = value(p, words[0])
		}
	}
	if n.Kind() == "array_creation_expression" {
		n = n.ChildByField("value")
	}
	if n.Kind() == "array_initializer" {
		words = statements(n)
	}
	if len(words) < 3 {
		return false
	}
	shell, _, _ := p.String(words[0])
	option, _, _ := p.String(words[1])
	if !slices.Contains([]string{"sh", "bash", "/bin/sh", "/bin/bash", "cmd", "cmd.exe"}, shell) || option != "-c" && option != "/c" && option != "/C" {
		return false
	}
	pieces := parts(value(p, words[2]))
	return len(pieces) > 1 && slices.ContainsFunc(pieces, func(n syntax.Node) bool { return typeOf(p, n, n.Text()) == "String" && !p.Constant(n) })
}

package python

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func codeInjection() rule.Rule {
	return rule.Rule{
		ID: "python/code-injection", Title: "Input is run as Python code",
		Category: "injection", CWE: "CWE-95", Severity: "critical", Languages: []string{"python"}, Confidence: 0.9,
		Explanation: "eval and exec run whatever they are given with the program's rights; a stripped set of builtins does not hold anybody.",
		Suggestion:  "Parse the value instead: ast.literal_eval for literals, json.loads for data, a table of allowed operations for commands.",
		InTests:     rule.SkipInTests,
		Bad: []rule.Sample{
			code(`from flask import request`, `def calc():`, `    return str(eval(request.args["expr"]))`),
			code(`def main():`, `    text = input("> ")`, `    exec(text)`),
			code(`import socket`, `def serve(conn):`, `    data = conn.recv(1024).decode()`, `    eval(data)`),
		},
		Good: []rule.Sample{
			code(`import ast`, `from flask import request`, `def calc():`, `    return ast.literal_eval(request.args["expr"])`),
			code(`def make(source):`, `    exec(compile(source, "<gen>", "exec"))`, `    return eval("1 + 1")`),
			code(`def run(model):`, `    model.eval()`, `    re.eval(input())`),
			code(`def pick():`, `    n = int(input())`, `    return eval("f%d" % n)`),
		},
		Check: func(p *rule.Pass) {
			flow := remoteFlow(p)
			for _, call := range p.Calls() {
				if name := p.Callee(call); (name == "eval" || name == "exec") && flow.Tainted(p.Arg(call, 0)) {
					p.Report(call, "")
				}
			}
		},
	}
}

package java

import "github.com/deeprepo/deeprepo/internal/rules/rule"

func threadRun() rule.Rule {
	return rule.Rule{
		ID: "java/thread-run", Title: "run() is called on a thread instead of start()",
		Category: "concurrency", CWE: "CWE-572", Severity: "medium", Confidence: 0.93,
		Languages:   []string{"java"},
		Explanation: "run() executes the body right here in the calling thread and returns when it is done; no new thread is started.",
		Suggestion:  "Call start().",
		Bad: []rule.Sample{
			{Source: "class App {\n  void go() {\n    new Thread(() -> serve()).run();\n  }\n}\n"},
			{Source: "class App {\n  void go(Runnable work) {\n    Thread t = new Thread(work, \"worker\");\n    t.setDaemon(true);\n    t.run();\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class App {\n  void go(Runnable work) {\n    Thread t = new Thread(work);\n    t.start();\n  }\n}\n"},
			{Source: "class App {\n  void go(Runnable work) {\n    work.run();\n  }\n}\n"},
			{Source: "class App extends Thread {\n  public void run() {\n    super.run();\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for _, call := range p.Calls() {
				on := bare(receiver(call))
				if p.Method(call) != "run" || len(p.Args(call)) > 0 || !on.Valid() {
					continue
				}
				if callee(p, on) == "Thread" && on.Kind() == "object_creation_expression" || on.Kind() == "identifier" && typeOf(p, on, on.Text()) == "Thread" {
					p.Report(call, "")
				}
			}
		},
	}
}

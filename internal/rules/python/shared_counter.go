package python

import (
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func sharedCounter() rule.Rule {
	return rule.Rule{
		ID: "python/unlocked-global", Title: "Global is changed by several threads without a lock",
		Category: "concurrency", CWE: "CWE-362", Severity: "medium", Languages: []string{"python"}, Confidence: 0.85,
		Explanation: "x += 1 reads, adds and writes in separate steps; threads that interleave lose updates.",
		Suggestion:  "Hold a threading.Lock around the change.",
		Bad: []rule.Sample{
			code(`import threading`, `count = 0`, `def work():`, `    global count`, `    count += 1`, `for _ in range(4):`, `    threading.Thread(target=work).start()`),
			code(`from threading import Thread`, `total = 0`, `def add(n):`, `    global total`, `    for i in range(n):`, `        total = total + i`, `ts = [Thread(target=add, args=(9,)) for _ in range(2)]`),
		},
		Good: []rule.Sample{
			code(`import threading`, `count = 0`, `lock = threading.Lock()`, `def work():`, `    global count`, `    with lock:`, `        count += 1`, `threading.Thread(target=work).start()`, `threading.Thread(target=work).start()`),
			code(`count = 0`, `def work():`, `    global count`, `    count += 1`, `work()`),
			code(`import threading`, `def work():`, `    count = 0`, `    count += 1`, `threading.Thread(target=work).start()`),
			code(`import threading`, `ticks = 0`, `def work():`, `    global ticks`, `    ticks += 1`, `threading.Thread(target=work).start()`),
		},
		Check: func(p *rule.Pass) {
			several := map[string]bool{}
			for _, call := range p.Calls() {
				if callee(p, call) != "threading.Thread" {
					continue
				}
				if call.Enclosing("for_statement", "while_statement", "list_comprehension", "generator_expression").Valid() {
					several[p.Keyword(call, "target").Text()] = true
				}
			}
			for fn := range p.Nodes("function_definition") {
				if !several[fn.ChildByField("name").Text()] || strings.Contains(fn.Text(), ".acquire(") {
					continue
				}
				for g := range fn.Find("global_statement") {
					for n := range fn.Find("augmented_assignment", "assignment") {
						left := n.ChildByField("left")
						if n.Kind() == "assignment" && !adds(left.Text(), n.ChildByField("right").Text()) || !named(p.Names(g), left.Text()) {
							continue
						}
						if !n.Enclosing("with_statement").Valid() {
							p.Report(n, "")
						}
					}
				}
			}
		},
	}
}

func adds(name, value string) bool {
	return strings.HasPrefix(value, name+" + ") || strings.HasPrefix(value, name+" - ")
}

func named(names []string, name string) bool {
	for _, n := range names {
		if n == name {
			return true
		}
	}
	return false
}

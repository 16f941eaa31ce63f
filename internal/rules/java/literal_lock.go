package java

import (
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rules/rule"
)

func literalLock() rule.Rule {
	shared := []string{"String", "Integer", "Long", "Boolean", "Short", "Byte", "Character"}
	return rule.Rule{
		ID: "java/shared-lock", Title: "a lock is taken on a string or boxed value that the whole program shares",
		Category: "concurrency", CWE: "CWE-833", Severity: "medium", Confidence: 0.9,
		Languages: []string{"java"},
		Explanation: "String literals and small boxed numbers are one object for the whole virtual machine, so unrelated code can hold the same lock, up to a deadlock. A boxed " +
			"counter is another object after each change, so two threads do not even lock the same thing.",
		Suggestion: "Lock on a private final Object lock = new Object().",
		Bad: []rule.Sample{
			{Source: "class Counter {\n  private Integer count = 0;\n  void inc() {\n    synchronized (count) {\n      count++;\n    }\n  }\n}\n"},
			{Source: "class Job {\n  void run() {\n    synchronized (\"job\") {\n      work();\n    }\n  }\n}\n"},
		},
		Good: []rule.Sample{
			{Source: "class Counter {\n  private final Object lock = new Object();\n  private int count;\n  void inc() {\n    synchronized (lock) {\n      count++;\n    }\n  }\n}\n"},
			{Source: "class Counter {\n  private final List<Integer> all = new ArrayList<>();\n  void add(int n) {\n    synchronized (all) {\n      all.add(n);\n    }\n  }\n}\n"},
			{Source: "class Counter {\n  synchronized void inc() {\n    count++;\n  }\n}\n"},
			{Source: "class Job {\n  private final String lock = new String(\"lock\");\n  void run() {\n    synchronized (lock) {\n      work();\n    }\n  }\n}\n"},
		},
		Check: func(p *rule.Pass) {
			for s := range p.Nodes("synchronized_statement") {
				lock := bare(s.NamedChild(0))
				if p.IsString(lock) {
					p.Report(s, "")
					continue
				}
				name := strings.TrimPrefix(lock.Text(), "this.")
				d := field(p.Class(s), name)
				if !d.Valid() || !slices.Contains(shared, d.ChildByField("type").Text()) {
					continue
				}
				if v := d.ChildByField("declarator").ChildByField("value"); v.Kind() != "object_creation_expression" && v.Valid() {
					p.Report(s, name)
				}
			}
		},
	}
}

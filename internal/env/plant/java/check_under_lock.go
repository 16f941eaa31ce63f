package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// lockedCheckDecoy asks and changes in two steps where a lock already keeps other threads out.
func lockedCheckDecoy() plant.Operator {
	return plant.Operator{
		Name: "java/check-under-lock", Language: language, Split: env.Heldout, Category: "concurrency", CWE: "CWE-367", Severity: "medium", Decoy: true, Hint: "computeIfAbsent",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				if called(call) != "computeIfAbsent" || !locked(call) {
					continue
				}
				if e, more, ok := split(f, call); ok {
					found = append(found, plant.Site{Edits: append([]plant.Edit{e}, more...),
						Description: fmt.Sprintf("%s looks into %s and changes it while it holds the lock: no other thread gets between the two steps", methodName(call), receiver(call).Text())})
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  private final ConcurrentMap<String, Row> rows = new ConcurrentHashMap<>();\n  void f(String k) {\n    lock.lock();\n    try {\n      rows.computeIfAbsent(k, x -> new Row()).touch();\n    } finally {\n      lock.unlock();\n    }\n  }\n}\n",
				"      rows.computeIfAbsent(k, x -> new Row()).touch();\n", "      if (!rows.containsKey(k)) {\n        rows.put(k, new Row());\n      }\n      rows.get(k).touch();\n"),
			sample("class A{ConcurrentHashMap<Long,Row> m;\n  synchronized Row f(Long k){\n    return m.computeIfAbsent( k,x->Row.of() );}}\n",
				"return m.computeIfAbsent( k,x->Row.of() );", "if (!m.containsKey(k)) {\n      m.put(k, Row.of());\n    }\n    return m.get(k);"),
		},
		Never: []string{
			"class A {\n  ConcurrentMap<String, Row> m;\n  void f(String k) {\n    m.computeIfAbsent(k, x -> new Row()).touch();\n  }\n}\n",
			"class A {\n  Map<String, Row> m = new HashMap<>();\n  synchronized void f(String k) {\n    m.computeIfAbsent(k, x -> load(x)).touch();\n  }\n}\n",
		},
	}
}

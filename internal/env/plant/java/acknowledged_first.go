package java

import (
	"fmt"
	"regexp"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// acknowledgedFirst takes something off its list before it was dealt with: when dealing with it fails, it is gone.
func acknowledgedFirst() plant.Operator {
	deals := regexp.MustCompile(`^(handle|process|deliver|take|apply|send|offer|publish|write|store|save|execute|accept|dispatch|print|emit|flush|append|add|run)`)
	done := regexp.MustCompile(`^(ack|acknowledge|markDone|markProcessed|markSent|complete|confirm|remove|forget|discard|delete|drop)`)
	return plant.Operator{
		Name: "java/acknowledged-first", Language: language, Split: env.Heldout, Category: "data-loss", CWE: "CWE-696", Severity: "high",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for s := range f.root.Find("expression_statement") {
				first, n := s.NamedChild(0), next(s)
				second := n.NamedChild(0)
				if n.Kind() != "expression_statement" || !deals.MatchString(called(first)) || !done.MatchString(called(second)) || !share(first, second) {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.edit(s.Start(), n.End(), n.Text()+f.text[s.End():n.Start()]+s.Text())},
					Description: fmt.Sprintf("%s calls %s before %s: when the latter fails, what it was about is lost", methodName(s), called(second), called(first))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f(Row r) throws IOException {\n    sink.deliver(r);\n    queue.acknowledge(r);\n  }\n}\n", "    sink.deliver(r);\n    queue.acknowledge(r);\n", "    queue.acknowledge(r);\n    sink.deliver(r);\n"),
			sample("class A{void f(Path p){send( p ,1);todo.remove(p);}}\n", "send( p ,1);todo.remove(p);", "todo.remove(p);send( p ,1);"),
		},
		Never: []string{
			"class A {\n  void f(Row r) {\n    queue.acknowledge(r);\n    sink.deliver(r);\n  }\n}\n",
			"class A {\n  void f(Row r, Row s) {\n    sink.deliver(r);\n    queue.remove(s);\n  }\n}\n",
		},
	}
}

// share says whether two calls have a variable as argument in common.
func share(a, b syntax.Node) bool {
	for _, x := range args(a) {
		for _, y := range args(b) {
			if x.Kind() == "identifier" && x.Text() == y.Text() || y.Kind() == "identifier" && mentions(x, y.Text()) {
				return true
			}
		}
	}
	return false
}

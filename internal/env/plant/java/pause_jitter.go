package java

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// jitterDecoy lengthens a pause by a little luck out of a random generator that is good enough for that.
func jitterDecoy() plant.Operator {
	return plant.Operator{
		Name: "java/pause-jitter", Language: language, Split: env.Heldout, Category: "weak-crypto", CWE: "CWE-338", Severity: "low", Decoy: true, Hint: "leep(",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for call := range f.root.Find("method_invocation") {
				as := args(call)
				if called(call) != "sleep" || len(as) != 1 || as[0].Kind() == "binary_expression" || receiver(call).Text() != "Thread" && receiver(call).Text() != "TimeUnit.MILLISECONDS" {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(call, receiver(call).Text()+".sleep("+as[0].Text()+" + new java.util.Random().nextInt(10))")},
					Description: fmt.Sprintf("the random number in %s only spreads pauses by some milliseconds: nothing depends on nobody guessing it", methodName(call))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f() throws InterruptedException {\n    Thread.sleep(20);\n  }\n}\n", "sleep(20)", "sleep(20 + new java.util.Random().nextInt(10))"),
			sample("class A{void f(Duration d)throws Exception{TimeUnit.MILLISECONDS.sleep( d.toMillis() );}}\n", "sleep( d.toMillis() )", "sleep(d.toMillis() + new java.util.Random().nextInt(10))"),
		},
		Never: []string{
			"class A {\n  void f() throws InterruptedException {\n    Thread.sleep(20 + random.nextInt(5));\n  }\n}\n",
			"class A {\n  void f() throws InterruptedException {\n    TimeUnit.SECONDS.sleep(2);\n    clock.sleep(5);\n  }\n}\n",
		},
	}
}

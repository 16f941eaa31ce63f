package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// interruptLost catches an interruption and tells nobody: the exception has cleared the thread's flag, so the loops and
// pools around it go on as if nobody had asked them to stop.
func interruptLost() plant.Operator {
	return plant.Operator{
		Name: "java/interrupt-lost", Language: language, Split: env.Heldout, Category: "error-handling", CWE: "CWE-391", Severity: "medium", Hint: "InterruptedException",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for c := range f.root.Find("catch_clause") {
				if !strings.Contains(c.NamedChild(0).Text(), "InterruptedException") {
					continue
				}
				body := children(c.ChildByField("body"))
				for _, s := range body {
					if strings.Join(strings.Fields(s.Text()), "") != "Thread.currentThread().interrupt();" {
						continue
					}
					loop := c.Enclosing("while_statement", "for_statement", "enhanced_for_statement")
					if methodName(c) == "run" && (!loop.Valid() || method(loop) != method(c)) {
						continue // the thread ends here, and nobody asks for its flag any more
					}
					e, ok := f.drop(s)
					if len(body) == 1 {
						if e, ok = f.replace(s, "continue;"), loop.Valid() && method(loop) == method(c); !ok {
							continue
						}
					}
					for _, other := range body {
						ok = ok && (other == s || other.Kind() != "throw_statement" || !strings.Contains(other.Text(), "InterruptedException"))
					}
					if ok {
						found = append(found, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf("%s swallows the interruption without setting the thread's flag again, so that whoever asked it to stop is not heard", methodName(c))})
					}
				}
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  boolean f() {\n    try {\n      Thread.sleep(5);\n      return true;\n    } catch (InterruptedException e) {\n      Thread.currentThread().interrupt();\n      return false;\n    }\n  }\n}\n", "      Thread.currentThread().interrupt();\n", ""),
			sample("class A{void run(){while(open()){try{step();}catch(InterruptedException e){Thread.currentThread( ).interrupt();}}}}\n", "Thread.currentThread( ).interrupt();", "continue;"),
		},
		Never: []string{
			"class A {\n  public void run() {\n    try {\n      while (open()) {\n        step();\n      }\n    } catch (InterruptedException e) {\n      Thread.currentThread().interrupt();\n      log(e);\n    }\n  }\n}\n",
			"class A {\n  void f() {\n    try {\n      Thread.sleep(5);\n    } catch (InterruptedException e) {\n      log(e);\n    }\n  }\n}\n",
			"class A {\n  void f() {\n    try {\n      go();\n    } catch (IOException e) {\n      Thread.currentThread().interrupt();\n      log(e);\n    }\n  }\n}\n",
		},
	}
}

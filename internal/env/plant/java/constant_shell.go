package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// constantShellDecoy runs a fixed line through a shell: there is nothing in it that anybody could choose.
func constantShellDecoy() plant.Operator {
	return plant.Operator{
		Name: "java/constant-shell", Language: language, Split: env.Heldout, Category: "injection", CWE: "CWE-78", Severity: "high", Decoy: true, Hint: "ProcessBuilder",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for n := range f.root.Find("object_creation_expression") {
				as := args(n)
				fixed := base(n.ChildByField("type").Text()) == "ProcessBuilder" && len(as) > 0
				for _, a := range as {
					fixed = fixed && a.Kind() == "string_literal" && !strings.ContainsAny(a.Text(), `\'$ `)
				}
				if !fixed || strings.HasSuffix(as[0].Text(), `sh"`) {
					continue
				}
				found = append(found, plant.Site{Edits: []plant.Edit{f.replace(n, `new ProcessBuilder("sh", "-c", `+line(as)+")")},
					Description: fmt.Sprintf("the shell line of %s is a constant: nothing from outside is part of it", methodName(n))})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  void f() throws IOException {\n    new ProcessBuilder(\"uname\", \"-s\").start();\n  }\n}\n", "(\"uname\", \"-s\")", "(\"sh\", \"-c\", \"uname -s\")"),
			sample("class A{Process f()throws IOException{return new ProcessBuilder( \"sync\" ).start();}}\n", "( \"sync\" )", "(\"sh\", \"-c\", \"sync\")"),
		},
		Never: []string{
			"class A {\n  void f(String name) throws IOException {\n    new ProcessBuilder(\"git\", name).start();\n  }\n}\n",
			"class A {\n  void f() throws IOException {\n    new ProcessBuilder(\"sh\", \"-c\", \"sync\").start();\n  }\n}\n",
		},
	}
}

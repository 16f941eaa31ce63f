package java

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// pathCheckDropped lets a path be resolved without the test that it stays below its directory: names with .. in them, and
// absolute ones, now reach any file.
func pathCheckDropped() plant.Operator {
	return plant.Operator{
		Name: "java/path-check-dropped", Language: language, Split: env.Train, Category: "path-traversal", CWE: "CWE-22", Severity: "high", Hint: "startsWith",
		Sites: sites(func(f file) []plant.Site {
			var found []plant.Site
			for d := range f.root.Find("local_variable_declaration") {
				v := d.ChildByField("declarator")
				value, test := v.ChildByField("value"), next(d)
				name := v.ChildByField("name").Text()
				if called(value) != "normalize" || !resolves(value) || !guard(test) || !strings.Contains(test.ChildByField("condition").Text(), "!"+name+".startsWith(") {
					continue
				}
				text := f.text[d.Start():value.Start()] + receiver(value).Text() + ";"
				found = append(found, plant.Site{Edits: []plant.Edit{f.edit(d.Start(), test.End(), text)},
					Description: fmt.Sprintf("%s resolves %s without checking that it stays below its directory, so that a name with .. reaches other files", methodName(d), name)})
			}
			return found
		}),
		Samples: []plant.Sample{
			sample("class A {\n  Path f(String name) throws IOException {\n    Path file = root.resolve(name).normalize();\n    if (!file.startsWith(root)) {\n      throw new IOException(name);\n    }\n    return file;\n  }\n}\n",
				".normalize();\n    if (!file.startsWith(root)) {\n      throw new IOException(name);\n    }\n", ";\n"),
			sample("class A{Path f(String n){var p=base.resolve( n + \".txt\" ).toAbsolutePath().normalize();\n// stay inside\nif(!p.startsWith(base))return null;\nreturn p;}}\n",
				".normalize();\n// stay inside\nif(!p.startsWith(base))return null;\n", ";\n"),
		},
		Never: []string{
			"class A {\n  Path f(String name) {\n    Path file = root.resolve(name);\n    return file;\n  }\n}\n",
			"class A {\n  Path f(String name) {\n    String s = name.normalize();\n    if (!s.startsWith(\"a\")) {\n      return null;\n    }\n    return root.resolve(s);\n  }\n}\n",
		},
	}
}

// resolves says whether a chain of calls holds a resolve.
func resolves(n syntax.Node) bool {
	for ; n.Kind() == "method_invocation"; n = receiver(n) {
		if called(n) == "resolve" {
			return true
		}
	}
	return false
}

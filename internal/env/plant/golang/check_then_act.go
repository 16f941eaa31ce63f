package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// checkThenAct lets go of the lock between looking into a map and writing to it.
func checkThenAct() plant.Operator {
	const (
		first  = "package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]bool\n}\n\nfunc (s *set) claim(k string) bool {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif _, taken := s.m[k]; taken {\n\t\treturn false\n\t}\n\ts.m[k] = true\n\treturn true\n}\n"
		second = "package a\n\nimport (\"errors\"; \"sync\")\n\ntype set struct { sync.Mutex; m map[int]int }\n\nfunc (s *set) put(k, v int) error {\n\ts.Lock()\n\tdefer s.Unlock()\n\t// First come, first served.\n\tif old, ok := s.m[k]; ok && old > v { return errors.New(\"taken\") }\n\ts.m[k] = v\n\treturn nil\n}\n"
	)
	return plant.Operator{
		Name: "go/check-then-act", Language: "go", Split: "train", Category: "concurrency", CWE: "CWE-367", Severity: "high",
		Sites: sites("Unlock()", func(s *source) []plant.Site {
			var out []plant.Site
			for _, fn := range s.kinds["method_declaration"] {
				lock, unlock := locked(fn, "Lock")
				field := changedMap(s, fn)
				test := sibling(unlock)
				if !lock.Valid() || field == "" || test.Kind() != "if_statement" || test.ChildByField("alternative").Valid() {
					continue
				}
				look := test.ChildByField("initializer")
				body := statements(test.ChildByField("consequence"))
				if look.Kind() != "short_var_declaration" || len(body) != 1 || body[0].Kind() != "return_statement" || !strings.HasPrefix(look.ChildByField("right").Text(), field+"[") || mentionsOutside(fn, test, look) {
					continue
				}
				in := s.indent(test)
				call := unlock.NamedChild(0).Text()
				head := plant.Edit{File: s.path, Start: unlock.Start(), End: test.ChildByField("condition").Start(), Text: look.Text() + "\n" + in + call + "\n" + in + "if "}
				tail := plant.Edit{File: s.path, Start: test.End(), End: test.End(), Text: "\n" + in + lock.Text() + "\n" + in + unlock.Text()}
				out = append(out, plant.Site{Edits: []plant.Edit{head, tail}, Description: fmt.Sprintf(
					"%s looks into %s under the lock but lets go of it before it writes: two callers at once both pass the check.", nameOf(fn), field)})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "\tdefer s.mu.Unlock()\n\tif _, taken := s.m[k]; taken {\n\t\treturn false\n\t}\n",
				"\t_, taken := s.m[k]\n\ts.mu.Unlock()\n\tif taken {\n\t\treturn false\n\t}\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n", 1)),
			sample(second, strings.NewReplacer("\tdefer s.Unlock()\n\t// First come, first served.\n\tif old, ok := s.m[k]; ok", "\told, ok := s.m[k]\n\ts.Unlock()\n\tif ok",
				"errors.New(\"taken\") }\n", "errors.New(\"taken\") }\n\ts.Lock()\n\tdefer s.Unlock()\n").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]bool\n}\n\nfunc (s *set) has(k string) bool {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\tif _, ok := s.m[k]; ok {\n\t\treturn true\n\t}\n\treturn false\n}\n",
			"package a\n\ntype set struct{ m map[string]bool }\n\nfunc (s *set) claim(k string) bool {\n\tif _, ok := s.m[k]; ok {\n\t\treturn false\n\t}\n\ts.m[k] = true\n\treturn true\n}\n",
		},
	}
}

// mentionsOutside says whether a name that look declares stands in fn outside of test.
func mentionsOutside(fn, test, look syntax.Node) bool {
	names := map[string]bool{}
	for c := range look.ChildByField("left").NamedChildren() {
		names[c.Text()] = c.Text() != "_"
	}
	for n := range fn.Find("identifier") {
		if names[n.Text()] && (n.Start() < test.Start() || n.Start() >= test.End()) {
			return true
		}
	}
	return false
}

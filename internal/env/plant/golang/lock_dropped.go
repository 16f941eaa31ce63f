package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// lockDropped takes the lock out of a method that changes a map of its receiver.
func lockDropped() plant.Operator {
	return plant.Operator{
		Name: "go/lock-dropped", Language: "go", Split: "train", Category: "concurrency", CWE: "CWE-362", Severity: "high",
		Sites: sites(".Unlock()", func(s *source) []plant.Site {
			var out []plant.Site
			for _, fn := range s.kinds["method_declaration"] {
				lock, unlock := locked(fn, "Lock")
				field := changedMap(s, fn)
				if !lock.Valid() || field == "" {
					continue
				}
				if e, ok := s.drop(lock, unlock); ok {
					out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
						"%s changes the map %s without holding the mutex that guards it: concurrent calls race and can crash the program.", nameOf(fn), field)})
				}
			}
			return out
		}),
		Samples: []plant.Sample{
			sample("package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) add(k string) {\n\t// One at a time.\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.m[k]++\n}\n",
				"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) add(k string) {\n\ts.m[k]++\n}\n"),
			sample("package a\n\nimport \"sync\"\n\ntype set struct {\n\tsync.RWMutex\n\tm map[string]int\n}\n\nfunc (s *set) del(k string) (ok bool) {\n\ts.Lock();\n\tdefer s.Unlock()\n\n\tif _, ok = s.m[k]; ok {\n\t\tdelete(s.m, k)\n\t}\n\treturn ok\n}\n",
				"package a\n\nimport \"sync\"\n\ntype set struct {\n\tsync.RWMutex\n\tm map[string]int\n}\n\nfunc (s *set) del(k string) (ok bool) {\n\tif _, ok = s.m[k]; ok {\n\t\tdelete(s.m, k)\n\t}\n\treturn ok\n}\n"),
		},
		Never: []string{
			"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) add(k string) { s.m[k]++ }\n",
			"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) get(k string) int {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn s.m[k]\n}\n",
			"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) add(k string) {\n\ts.mu.Lock()\n\ts.m[k]++\n\ts.mu.Unlock()\n}\n",
		},
	}
}

// locked gives the statements x.Lock() and defer x.Unlock(), one after the other, that a method has of its receiver's
// mutex; name may be RLock.
func locked(fn syntax.Node, name string) (lock, unlock syntax.Node) {
	self := receiver(fn)
	body := statements(fn.ChildByField("body"))
	for i := 0; i+1 < len(body); i++ {
		if body[i].Kind() != "expression_statement" || body[i+1].Kind() != "defer_statement" {
			continue
		}
		x, m := method(body[i].NamedChild(0))
		y, n := method(body[i+1].NamedChild(0))
		if m == name && n == strings.Replace(name, "Lock", "Unlock", 1) && x.Text() == y.Text() && self != "" && (x.Text() == self || strings.HasPrefix(x.Text(), self+".")) {
			return body[i], body[i+1]
		}
	}
	return syntax.Node{}, syntax.Node{}
}

// changedMap is the field of map type of its receiver that a method writes or deletes from, as self.field, "" for none.
func changedMap(s *source, fn syntax.Node) string {
	fields := map[string]bool{}
	for _, spec := range s.kinds["type_spec"] {
		if spec.ChildByField("name").Text() == receiverType(fn) {
			for f := range spec.Find("field_declaration") {
				for c := range f.Children() {
					if c.Field() == "name" && f.ChildByField("type").Kind() == "map_type" {
						fields[receiver(fn)+"."+c.Text()] = true
					}
				}
			}
		}
	}
	for n := range fn.ChildByField("body").Find("assignment_statement", "inc_statement", "dec_statement", "call_expression") {
		target := n.ChildByField("left").NamedChild(0)
		switch n.Kind() {
		case "inc_statement", "dec_statement":
			target = n.NamedChild(0)
		case "call_expression":
			if args := arguments(n); n.ChildByField("function").Text() == "delete" && len(args) == 2 && fields[args[0].Text()] {
				return args[0].Text()
			}
			continue
		}
		if m := target.ChildByField("operand"); target.Kind() == "index_expression" && fields[m.Text()] {
			return m.Text()
		}
	}
	return ""
}

package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// rlockWrite lets a method write to a map while it holds the lock for readers.
func rlockWrite() plant.Operator {
	const (
		first  = "package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.RWMutex\n\tm  map[string]int\n}\n\nfunc (s *set) add(k string) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.m[k]++\n}\n"
		second = "package a\n\nimport \"sync\"\n\ntype set struct {\n\t*sync.RWMutex\n\tm map[int]int\n}\n\nfunc (s *set) del(k int) {\n\tprintln(k); s.Lock(); defer s.Unlock()\n\tdelete(s.m, k)\n}\n"
	)
	return plant.Operator{
		Name: "go/rlock-write", Language: "go", Split: "heldout", Category: "concurrency", CWE: "CWE-667", Severity: "high",
		Sites: sites("sync.RWMutex", func(s *source) []plant.Site {
			var out []plant.Site
			for _, fn := range s.kinds["method_declaration"] {
				lock, unlock := locked(fn, "Lock")
				field := changedMap(s, fn)
				if !lock.Valid() || field == "" || !s.hasRWMutex(receiverType(fn), strings.TrimSuffix(lock.Text(), ".Lock()"), receiver(fn)) {
					continue
				}
				text := strings.Replace(s.text[lock.Start():unlock.Start()], ".Lock()", ".RLock()", 1) + strings.Replace(unlock.Text(), ".Unlock()", ".RUnlock()", 1)
				e := plant.Edit{File: s.path, Start: lock.Start(), End: unlock.End(), Text: text}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s writes to the map %s under the lock for readers, which several callers hold at once: they race.", nameOf(fn), field)})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("s.mu.Lock()", "s.mu.RLock()", "s.mu.Unlock()", "s.mu.RUnlock()").Replace(first)),
			sample(second, strings.NewReplacer("s.Lock()", "s.RLock()", "s.Unlock()", "s.RUnlock()").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nvar other sync.RWMutex\n\nfunc (s *set) add(k string) {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\ts.m[k]++\n}\n",
			"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.RWMutex\n\tm  map[string]int\n}\n\nfunc (s *set) get(k string) int {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn s.m[k]\n}\n",
		},
	}
}

// hasRWMutex says whether x, the receiver self of a type or a field of it, is a sync.RWMutex.
func (s *source) hasRWMutex(t, x, self string) bool {
	for _, spec := range s.kinds["type_spec"] {
		if spec.ChildByField("name").Text() != t {
			continue
		}
		for f := range spec.Find("field_declaration") {
			if strings.TrimPrefix(f.ChildByField("type").Text(), "*") != "sync.RWMutex" {
				continue
			}
			named := false
			for c := range f.Children() {
				if c.Field() == "name" {
					named = true
					if self+"."+c.Text() == x {
						return true
					}
				}
			}
			if !named && (x == self || x == self+".RWMutex") {
				return true
			}
		}
	}
	return false
}

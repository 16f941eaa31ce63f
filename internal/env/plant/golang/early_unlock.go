package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// earlyUnlock lets go of a lock by hand once a copy is made: it looks as if something were read without it.
func earlyUnlock() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"maps\"\n\t\"sync\"\n)\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) all() map[string]int {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn maps.Clone(s.m)\n}\n"
		second = "package a\n\nimport (\"slices\"; \"sync\")\n\ntype log struct { sync.RWMutex; by []string }\n\nfunc (l *log) lines() []string { l.RLock(); defer l.RUnlock(); return slices.Clone( l.by ) }\n"
	)
	return plant.Operator{
		Name: "go/early-unlock", Language: "go", Split: "heldout", Category: "concurrency", CWE: "CWE-667", Severity: "low", Decoy: true,
		Sites: sites(".Clone(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, fn := range s.kinds["method_declaration"] {
				lock, unlock := locked(fn, "RLock")
				if !lock.Valid() {
					lock, unlock = locked(fn, "Lock")
				}
				body := statements(fn.ChildByField("body"))
				if !lock.Valid() || len(body) != 3 || body[2].Kind() != "return_statement" || len(results(fn)) != 1 || fn.ChildByField("result").Kind() == "parameter_list" {
					continue
				}
				values := list(body[2].NamedChild(0))
				if len(values) != 1 || !s.callTo(values[0], "maps", "Clone") && !s.callTo(values[0], "slices", "Clone") || mentions(fn, "copied") {
					continue
				}
				gap := s.text[unlock.End():body[2].Start()]
				e := plant.Edit{File: s.path, Start: unlock.Start(), End: body[2].End(), Text: "copied := " + values[0].Text() + gap + unlock.NamedChild(0).Text() + gap + "return copied"}
				out = append(out, plant.Site{Edits: []plant.Edit{e}, Description: fmt.Sprintf(
					"%s returns after the lock is released, but what it returns is a copy that was made under it.", nameOf(fn))})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.Replace(first, "defer s.mu.Unlock()\n\treturn maps.Clone(s.m)", "copied := maps.Clone(s.m)\n\ts.mu.Unlock()\n\treturn copied", 1)),
			sample(second, strings.Replace(second, "defer l.RUnlock(); return slices.Clone( l.by )", "copied := slices.Clone( l.by ); l.RUnlock(); return copied", 1)),
		},
		Never: []string{
			"package a\n\nimport (\n\t\"maps\"\n\t\"sync\"\n)\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) all() map[string]int {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn s.m\n}\n\nvar _ = maps.Clone[map[int]int]\n",
			"package a\n\nimport \"maps\"\n\ntype set struct{ m map[string]int }\n\nfunc (s *set) all() map[string]int { return maps.Clone(s.m) }\n",
		},
	}
}

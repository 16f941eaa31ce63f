package golang

import (
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/plant"
)

// cloneDropped hands out the map or slice itself that a lock guards.
func cloneDropped() plant.Operator {
	const (
		first  = "package a\n\nimport (\n\t\"maps\"\n\t\"sync\"\n)\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) all() map[string]int {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn maps.Clone(s.m)\n}\n"
		second = "package a\n\nimport (\"slices\"; \"sync\")\n\ntype log struct { sync.RWMutex; by map[int][]string }\n\nfunc (l *log) of(n int) (lines []string, ok bool) {\n\tl.RLock()\n\tdefer l.RUnlock()\n\treturn slices.Clone( l.by[n] ), true\n}\n"
	)
	return plant.Operator{
		Name: "go/clone-dropped", Language: "go", Split: "heldout", Category: "concurrency", CWE: "CWE-362", Severity: "medium",
		Sites: sites(".Clone(", func(s *source) []plant.Site {
			var out []plant.Site
			for _, call := range s.kinds["call_expression"] {
				fn, args := function(call), arguments(call)
				if !s.callTo(call, "maps", "Clone") && !s.callTo(call, "slices", "Clone") || len(args) != 1 || receiver(fn) == "" || !strings.HasPrefix(args[0].Text(), receiver(fn)+".") {
					continue
				}
				ret := call.Parent()
				if ret.Kind() == "expression_list" {
					ret = ret.Parent()
				}
				lock, _ := locked(fn, "Lock")
				if !lock.Valid() {
					lock, _ = locked(fn, "RLock")
				}
				if ret.Kind() != "return_statement" || !lock.Valid() {
					continue
				}
				e := s.swap(call, args[0].Text())
				edits, ok := s.tidy(e)
				if !ok {
					continue
				}
				out = append(out, plant.Site{Edits: edits, Description: fmt.Sprintf(
					"%s returns %s itself and not a copy: callers read it without the lock while other methods change it.", nameOf(fn), args[0].Text())})
			}
			return out
		}),
		Samples: []plant.Sample{
			sample(first, strings.NewReplacer("\t\"maps\"\n", "", "maps.Clone(s.m)", "s.m").Replace(first)),
			sample(second, strings.NewReplacer("\"slices\"; ", "", "slices.Clone( l.by[n] )", "l.by[n]").Replace(second)),
		},
		Never: []string{
			"package a\n\nimport \"maps\"\n\ntype set struct{ m map[string]int }\n\nfunc (s *set) all() map[string]int { return maps.Clone(s.m) }\n",
			"package a\n\nimport \"sync\"\n\ntype set struct {\n\tmu sync.Mutex\n\tm  map[string]int\n}\n\nfunc (s *set) all() map[string]int {\n\ts.mu.Lock()\n\tdefer s.mu.Unlock()\n\treturn s.m\n}\n",
		},
	}
}

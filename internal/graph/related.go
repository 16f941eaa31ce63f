package graph

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// Relation is a file that has to do with another, and why.
type Relation struct {
	File  string  `json:"file"`
	Why   string  `json:"why"`
	Score float64 `json:"score"`
}

// Related ranks the files that have most to do with one, at most n: those that it uses and that use it, its tests, those
// that use the same of the codebase's definitions, and those of its name elsewhere.
func (g *Graph) Related(file string, n int) []Relation {
	i, ok := g.byPath[file]
	if !ok {
		return nil
	}
	r := relating{Graph: g, scores: map[int32]float64{}, why: map[int32][]string{}}
	r.byUse(i)
	r.byImport(i)
	r.named(i)
	r.bySharedUse(i)
	delete(r.scores, i)
	var list []Relation
	for f, score := range r.scores {
		list = append(list, Relation{g.files[f].path, strings.Join(r.why[f], "; "), score})
	}
	slices.SortFunc(list, func(a, b Relation) int { return cmp.Or(cmp.Compare(b.Score, a.Score), strings.Compare(a.File, b.File)) })
	return list[:min(len(list), max(n, 0))]
}

type relating struct {
	*Graph
	scores map[int32]float64
	why    map[int32][]string
}

func (r *relating) add(f int32, score float64, why string, args ...any) {
	r.scores[f] += score
	r.why[f] = append(r.why[f], fmt.Sprintf(why, args...))
}

// byUse counts the definitions that the file uses of others, and others of it. One is worth less the more files use it.
func (r *relating) byUse(i int32) {
	uses, used := map[int32]map[int32]bool{}, map[int32]map[int32]bool{}
	put := func(m map[int32]map[int32]bool, f, symbol int32) {
		if m[f] == nil {
			m[f] = map[int32]bool{}
		}
		m[f][symbol] = true
	}
	for _, e := range r.edgesIn(i) {
		if to := r.symbols[e.to].file; to != i && e.confidence != Possible {
			put(uses, to, e.to)
		}
	}
	f := &r.files[i]
	for id := f.first; id < f.first+int32(len(f.facts.Symbols)); id++ {
		for _, e := range r.edgesInto(id) {
			if e.file != i && e.confidence != Possible {
				put(used, e.file, id)
			}
		}
	}
	for _, f := range sortedKeys(uses) {
		r.add(f, 2+weigh(len(uses[f])), "defines what it uses: %s", r.names(uses[f]))
	}
	for _, f := range sortedKeys(used) {
		r.add(f, 2+weigh(len(used[f])), "uses its %s", r.names(used[f]))
	}
}

func weigh(n int) float64 { return 1 - 1/float64(1+n) }

// names lists up to three symbols.
func (r *relating) names(ids map[int32]bool) string {
	var names []string
	for _, id := range sortedKeys(ids) {
		if len(names) == 3 {
			return fmt.Sprintf("%s and %d more", strings.Join(names, ", "), len(ids)-3)
		}
		names = append(names, r.symbols[id].Qualified)
	}
	return strings.Join(names, ", ")
}

func sortedKeys[V any](m map[int32]V) []int32 {
	keys := make([]int32, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (r *relating) byImport(i int32) {
	seen := map[int32]bool{}
	for _, im := range r.imports {
		switch {
		case im.file == i && len(im.files) <= 3:
			for _, f := range im.files {
				if !seen[f] {
					seen[f] = true
					r.add(f, 1, "is imported by it")
				}
			}
		case im.file != i && len(im.files) <= 3 && slices.Contains(im.files, i) && !seen[-1-im.file]:
			seen[-1-im.file] = true
			r.add(im.file, 1, "imports it")
		}
	}
}

// named finds its tests, what it tests, and files of its name.
func (r *relating) named(i int32) {
	own := r.files[i]
	name := subject(own.path)
	for k := range r.files {
		f := &r.files[k]
		if int32(k) == i || f.family != own.family || subject(f.path) != name || name == "index" || name == "" || strings.HasPrefix(name, "__") {
			continue
		}
		switch {
		case f.test && !own.test:
			r.add(int32(k), 2.5, "its tests, by name")
		case own.test && !f.test:
			r.add(int32(k), 2.5, "what it tests, by name")
		default:
			r.add(int32(k), 0.8, "has its name")
		}
	}
}

// subject is what a file is about by its name: a test's is that of what it tests.
func subject(p string) string {
	name := stem(p)
	if codebase.IsTest(p) {
		for _, affix := range []string{"_test", "_spec", "Tests", "Test", "IT", "Spec"} {
			name = strings.TrimSuffix(name, affix)
		}
		name = strings.TrimPrefix(strings.TrimPrefix(name, "test_"), "test-")
	}
	return name
}

// bySharedUse finds files that use what it uses, where few others do.
func (r *relating) bySharedUse(i int32) {
	const mostUsers = 40
	share := map[int32]float64{}
	seen := map[int32]bool{}
	for _, e := range r.edgesIn(i) {
		if seen[e.to] || e.confidence == Possible || r.symbols[e.to].file == i {
			continue
		}
		seen[e.to] = true
		users := map[int32]bool{}
		for _, other := range r.edgesInto(e.to) {
			users[other.file] = true
		}
		if len(users) < 2 || len(users) > mostUsers {
			continue
		}
		for f := range users {
			share[f] += 1 / float64(len(users))
		}
	}
	delete(share, i)
	for _, f := range sortedKeys(share) {
		if s := share[f]; s >= 0.2 {
			r.add(f, 1.5*s/(1+s), "uses the same definitions")
		}
	}
}

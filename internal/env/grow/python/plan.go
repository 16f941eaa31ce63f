package python

import (
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// unit is one file that a project may hold.
type unit struct {
	name  string   // of its text below templates/DIR, without ".tmpl"
	path  string   // <pkg> and, where it belongs to an entity, <e> and <es> (its plural) are replaced
	needs []string // names of units that must be there already
}

// design says what a kind of project consists of.
type design struct {
	core     []unit // files of the smallest project; those whose path names <e> are the first entity's
	shared   []unit // one of each, in this order
	entity   []unit // what every entity has, in this order
	optional []unit // what an entity may have besides, in any order
}

// planned is a unit with the entity it is for.
type planned struct {
	unit
	e *entity // nil for a shared file
}

// plan chooses exactly files units. Every unit stands after the ones it needs.
func plan(d design, files int, entities []*entity, r *rand.Rand) []planned {
	var all []planned
	have := map[string]bool{}
	add := func(u unit, e *entity) {
		key := u.name
		if e != nil {
			key = e.Name + "/" + u.name
		}
		if have[key] || len(all) == files {
			return
		}
		for _, n := range u.needs {
			if !have[n] && (e == nil || !have[e.Name+"/"+n]) {
				return
			}
		}
		have[key] = true
		all = append(all, planned{u, e})
	}
	for _, u := range d.core {
		if strings.Contains(u.path, "<e") {
			add(u, entities[0])
		} else {
			add(u, nil)
		}
	}
	shared := slices.Clone(d.shared)
	for i := 0; len(all) < files && i < len(entities); i++ {
		e := entities[i]
		for range min(len(shared), 6) {
			add(shared[0], nil)
			shared = shared[1:]
		}
		for _, u := range d.entity {
			add(u, e)
		}
		extra := slices.Clone(d.optional)
		r.Shuffle(len(extra), func(a, b int) { extra[a], extra[b] = extra[b], extra[a] })
		for _, u := range extra[:min(len(extra), (len(extra)+1)/2+r.IntN(len(extra)/2+1))] {
			for _, n := range u.needs { // what it needs of the same entity comes first
				if at := slices.IndexFunc(d.optional, func(o unit) bool { return o.name == n }); at >= 0 {
					add(d.optional[at], e)
				}
			}
			add(u, e)
		}
	}
	return all
}

// write grows the project.
func write(s grow.Spec, dir string, d design) map[string]string {
	var entities []*entity
	for _, e := range s.Domain.Entities(s.Rand, s.Files/max(1, len(d.entity))+2) {
		entities = append(entities, newEntity(e))
	}
	chosen := plan(d, s.Files, entities, s.Rand)
	w := newWriter(dir, s, entities, chosen)
	texts := make(map[string]string, len(chosen))
	for _, c := range chosen {
		texts[w.path(c)] = w.render(c)
	}
	return texts
}

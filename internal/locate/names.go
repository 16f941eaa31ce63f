package locate

import (
	"math"
	"path"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/graph"
)

// maxAlike is how many definitions of a name are too many for a mention of it to mean one of them.
const maxAlike = 40

// maxParts is how many names a dotted one may have.
const maxParts = 12

// book finds files and places by what they are called.
type book struct {
	modules map[string][]*file         // by dotted path without ending, whole and without its first directories
	bases   map[string][]*file         // by the last name of a path
	places  map[string][]*place        // by name
	others  map[string][]*graph.Symbol // variables and constants, by name
}

func (x *Index) readBook() *book {
	b := &book{map[string][]*file{}, map[string][]*file{}, map[string][]*place{}, map[string][]*graph.Symbol{}}
	for _, f := range x.files {
		b.bases[path.Base(f.path)] = append(b.bases[path.Base(f.path)], f)
		if f.test {
			continue
		}
		name := strings.TrimSuffix(f.path, path.Ext(f.path))
		name = strings.TrimSuffix(strings.TrimSuffix(name, "/__init__"), "/index")
		for {
			key := strings.ReplaceAll(name, "/", ".")
			b.modules[key] = append(b.modules[key], f)
			_, rest, ok := strings.Cut(name, "/")
			if !ok {
				break
			}
			name = rest
		}
		for _, p := range f.places {
			if !p.whole() {
				b.places[p.Name] = append(b.places[p.Name], p)
			}
		}
		for _, s := range x.graph.Symbols(f.path) {
			if s.Kind == graph.KindVariable || s.Kind == graph.KindConstant {
				b.others[s.Name] = append(b.others[s.Name], s)
			}
		}
	}
	return b
}

// named scores what the text calls by name: files by path or module, places by name.
type named struct {
	paths, defines []float64 // by file
	places         []float64 // by place
	frames         []float64 // by file
	inFrames       []float64 // by place
}

func (x *Index) named(q *query) named {
	files, places := func() []float64 { return make([]float64, len(x.files)) }, func() []float64 { return make([]float64, len(x.places)) }
	n := named{paths: files(), defines: files(), places: places(), frames: files(), inFrames: places()}
	for _, p := range q.paths {
		found := x.endingWith(p)
		for _, f := range found {
			v := 1 / float64(len(found))
			if !strings.Contains(p, "/") {
				v *= 0.7
			}
			n.paths[f.id] = max(n.paths[f.id], v)
		}
	}
	for _, m := range q.names {
		x.mentioned(m, &n)
	}
	depth := 0
	for i := len(q.frames) - 1; i >= 0; i-- {
		fr := q.frames[i]
		found := x.endingWith(fr.path)
		if len(found) != 1 || found[0].test {
			continue
		}
		f := found[0]
		v := math.Pow(0.7, float64(depth))
		depth++
		n.frames[f.id] = max(n.frames[f.id], v)
		at := f.placeAt(fr.line)
		for _, p := range f.places {
			if p.Name == fr.function && (at == nil || at.Name != fr.function) {
				at = p
			}
		}
		if at != nil && (fr.function == "" || at.Name == fr.function || at.whole() && fr.function == "<module>") {
			n.inFrames[at.id] = max(n.inFrames[at.id], v)
		}
	}
	return n
}

// endingWith are the files whose path ends with as many names of a path as can be: those of a longer ending only.
func (x *Index) endingWith(p string) []*file {
	parts := strings.Split(strings.Trim(p, "/"), "/")
	base := x.book().bases[parts[len(parts)-1]]
	best, most := []*file{}, 1
	for _, f := range base {
		have := strings.Split(f.path, "/")
		same := 0
		for same < len(have) && same < len(parts) && have[len(have)-1-same] == parts[len(parts)-1-same] {
			same++
		}
		if same > most {
			best, most = best[:0], same
		}
		if same == most {
			best = append(best, f)
		}
	}
	if len(best) > 3 {
		return nil
	}
	return best
}

// mentioned scores what one identifier may stand for.
func (x *Index) mentioned(m mention, n *named) {
	b := x.book()
	parts := strings.Split(m.name, ".")
	if len(parts) > maxParts {
		return
	}
	rest := parts
	if len(parts) > 1 {
		for k := len(parts); k > 0; k-- {
			found := b.modules[strings.Join(parts[:k], ".")]
			if len(found) == 0 || len(found) > 3 || k == 1 && len(parts[0]) < 4 {
				continue
			}
			for _, f := range found {
				v := float64(k) / float64(len(parts)) / float64(len(found))
				if k == 1 {
					v *= 0.3
				}
				if path.Base(f.path) == "__init__.py" {
					v *= 0.5
				}
				n.paths[f.id] = max(n.paths[f.id], v*min(m.weight, 1))
				for _, p := range f.places {
					if k < len(parts) && p.Name == parts[len(parts)-1] {
						n.places[p.id] += m.weight
						n.defines[f.id] += m.weight
					}
				}
			}
			rest = parts[k:]
			break
		}
	}
	for i, name := range rest {
		if len(name) < 3 || name == "self" {
			continue
		}
		found := b.places[name]
		if i > 0 { // of the class before it, where there is one
			if own := slices.DeleteFunc(slices.Clone(found), func(p *place) bool {
				return p.parent == nil || p.parent.Name != rest[i-1]
			}); len(own) > 0 {
				found = own
			}
		}
		if len(found) > 0 && len(found) <= maxAlike {
			v := m.weight / math.Pow(float64(len(found)), 0.7)
			for _, p := range found {
				n.places[p.id] += v
				n.defines[p.file.id] += v
			}
		}
		if others := b.others[name]; len(found) == 0 && len(others) > 0 && len(others) <= 10 {
			for _, s := range others {
				if f := x.byPath[s.File]; f != nil {
					n.defines[f.id] += 0.5 * m.weight / float64(len(others))
					n.places[f.places[0].id] += m.weight / float64(len(others)) // it stands outside of functions
				}
			}
		}
	}
	if len(parts) == 1 {
		if found := b.modules[strings.ToLower(m.name)]; len(found) > 0 && len(found) <= 3 && len(m.name) > 3 {
			for _, f := range found {
				n.paths[f.id] = max(n.paths[f.id], 0.3*min(m.weight, 1.5)/float64(len(found)))
			}
		}
	}
}

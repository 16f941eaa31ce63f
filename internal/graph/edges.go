package graph

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// resolveAll resolves the references and imports of all files. Each file's are its own, so their order is the same
// whatever runs at once.
func (g *Graph) resolveAll(ctx context.Context) error {
	edges, imports, modules := make([][]edge, len(g.files)), make([][]imported, len(g.files)), make([][]int32, len(g.files))
	things := make([][]thing, len(g.files))
	g.each(ctx, func(i int32) {
		for _, b := range g.files[i].facts.Imports {
			things[i] = append(things[i], g.module(&g.files[i], b.Module))
		}
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	g.each(ctx, func(i int32) {
		r := &resolver{g: g, memo: map[memoKey]thing{}, file: i, things: things}
		imports[i], modules[i] = r.importsOf()
	})
	g.each(ctx, func(i int32) {
		r := &resolver{g: g, memo: map[memoKey]thing{}, file: i, imports: imports[i], modules: modules, things: things}
		edges[i] = r.edgesOf()
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	g.edges, g.imports = slices.Concat(edges...), slices.Concat(imports...)
	g.into = make([]int32, len(g.edges))
	for i := range g.into {
		g.into[i] = int32(i)
	}
	slices.SortStableFunc(g.into, func(a, b int32) int { return cmp.Compare(g.edges[a].to, g.edges[b].to) })
	return nil
}

// each does something for each file, on all processors.
func (g *Graph) each(ctx context.Context, do func(file int32)) {
	var next atomic.Int32
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := next.Add(1) - 1; int(i) < len(g.files) && ctx.Err() == nil; i = next.Add(1) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// importsOf finds the files behind a file's imports, and those of the modules that it imports, or imports from.
func (r *resolver) importsOf() (list []imported, modules []int32) {
	g, f := r.g, &r.g.files[r.file]
	for k := range f.facts.Imports {
		b := &f.facts.Imports[k]
		if b.Module == self {
			continue
		}
		r.steps = maxSteps
		im := imported{file: r.file, fact: int32(k)}
		m := r.moduleOf(r.file, int32(k))
		modules = append(modules, g.filesOf(m)...)
		if b.Name != "" && b.Name != "*" && m.sort != outside {
			if t := r.memberOf(m, b.Name, 0); t.sort == aFile || t.sort == aSymbol && m.sort == aPackage && f.family != "go" {
				m = t
			}
		}
		im.files = g.filesOf(m)
		list = append(list, im)
	}
	slices.Sort(modules)
	return list, slices.Compact(modules)
}

// filesOf are the files that a module consists of.
func (g *Graph) filesOf(t thing) []int32 {
	switch t.sort {
	case aFile:
		return []int32{t.at}
	case aSymbol:
		return []int32{g.symbols[t.at].file}
	case aPackage:
		p := &g.packages[t.at]
		if init, ok := p.subs["__init__"]; ok && init < 0 {
			return []int32{-1 - init}
		}
		var list []int32
		for _, i := range p.files {
			if f := &g.files[i]; !f.test && f.family != "python" {
				list = append(list, i)
			}
		}
		return list
	}
	return nil
}

// edgesOf resolves a file's references, in the order of their lines.
func (r *resolver) edgesOf() []edge {
	g, f := r.g, &r.g.files[r.file]
	var list []edge
	add := func(to int32, in, line int32, role Role, c Confidence) {
		s := &g.symbols[to]
		if s.file == r.file && s.facts.Line == line && (role == Reads || !s.Kind.callable()) {
			return // its own definition
		}
		from := int32(-1)
		if in >= 0 {
			from = f.first + in
		}
		list = append(list, edge{from, to, r.file, line, role, c})
	}
	for k := range f.facts.Refs {
		ref := &f.facts.Refs[k]
		r.steps = maxSteps
		t := r.eval(r.file, ref.In, ref.Chain, 0)
		switch t.sort {
		case aSymbol:
			add(r.overload(t.at, ref), ref.In, ref.Line, Role(ref.Role), Exact)
		case nothing:
			ids, c := r.guess(ref)
			for _, id := range ids {
				add(id, ref.In, ref.Line, Role(ref.Role), c)
			}
		}
	}
	for k := range f.facts.Symbols {
		s := &f.facts.Symbols[k]
		for _, b := range s.Bases {
			r.steps = maxSteps
			if t := r.eval(r.file, s.Parent, b, 0); t.sort == aSymbol && t.at != f.first+int32(k) {
				list = append(list, edge{f.first + int32(k), t.at, r.file, s.Line, Extends, Exact})
			}
		}
	}
	slices.SortFunc(list, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.line, b.line), cmp.Compare(a.to, b.to), cmp.Compare(b.role, a.role), cmp.Compare(a.confidence, b.confidence),
			cmp.Compare(a.from, b.from))
	})
	// One place that calls and names a symbol is one edge.
	return slices.CompactFunc(list, func(a, b edge) bool { return a.line == b.line && a.to == b.to && a.from == b.from })
}

// overload chooses among methods of one name by the number of arguments.
func (r *resolver) overload(id int32, ref *ref) int32 {
	s := &r.g.symbols[id]
	if Role(ref.Role) != Calls || s.parent < 0 || !s.Kind.callable() || r.g.files[s.file].family != "java" {
		return id
	}
	for _, other := range r.g.members[member{s.parent, s.Name}] {
		if r.g.symbols[other].facts.Params == ref.Args {
			return other
		}
	}
	return id
}

// manyFiles is how many files a file may reach whose own imports are looked at, too.
const manyFiles = 500

// reaches reports a file that the one at hand reaches: by its imports, theirs, or in its package.
func (r *resolver) reaches(file int32) bool {
	g, f := r.g, &r.g.files[r.file]
	if f.pkg >= 0 && g.files[file].pkg == f.pkg {
		return true
	}
	if r.reach == nil {
		r.near()
	}
	return r.reach[file]
}

// near collects the files that the file reaches outside its package.
func (r *resolver) near() {
	g, f := r.g, &r.g.files[r.file]
	r.reach = map[int32]bool{r.file: true}
	direct := []int32{r.file}
	for _, im := range r.imports {
		for _, i := range im.files {
			r.reach[i] = true
		}
		direct = append(direct, im.files...)
	}
	if f.pkg >= 0 {
		if len(g.packages[f.pkg].files) > manyFiles {
			return
		}
		direct = append(direct, g.packages[f.pkg].files...)
	}
	slices.Sort(direct)
	direct = slices.Compact(direct)
	count := len(direct)
	for _, i := range direct {
		if count > manyFiles {
			break
		}
		for _, j := range r.modules[i] {
			if _, known := slices.BinarySearch(direct, j); !known && !r.reach[j] {
				count++
			}
			r.reach[j] = true
		}
	}
}

// guess names candidates for a call whose receiver is of unknown type: the methods of that name.
func (r *resolver) guess(ref *ref) ([]int32, Confidence) {
	g, f := r.g, &r.g.files[r.file]
	dot := strings.LastIndexByte(ref.Chain, '.')
	name := ref.Chain[dot+1:]
	if Role(ref.Role) != Calls || dot < 0 && f.family != "c" && f.family != "ruby" || ordinary[name] || len(name) < 3 {
		return nil, 0
	}
	if dot < 0 {
		if _, local := r.lookup(r.file, ref.In, name, 0); local {
			return nil, 0
		}
	}
	var near, far []int32
	for _, id := range g.byName[f.family+"\x00"+name] {
		s := &g.symbols[id]
		if !s.Kind.callable() || s.facts.Declared || g.files[s.file].test && !f.test || !fits(f.family, s, ref) {
			continue
		}
		if dot >= 0 && f.family != "c" && s.in >= 0 && g.symbols[s.in].Kind.callable() {
			continue // a function within another, which nobody calls on a receiver
		}
		if dot < 0 && s.facts.Static || dot >= 0 && f.family != "c" && s.parent < 0 {
			continue
		}
		if s.file != r.file && !s.Exported && f.family == "go" && g.files[s.file].pkg != f.pkg {
			continue
		}
		if r.reaches(s.file) {
			near = append(near, id)
		} else {
			far = append(far, id)
		}
	}
	switch {
	case len(near) == 1 && len(far) == 0:
		return near, Likely
	case len(near) == 0 && len(far) == 1 && f.family == "c":
		return far, Likely
	case len(near)+len(far) <= 3:
		return append(near, far...), Possible
	case len(near) > 0 && len(near) <= 3:
		return near, Possible
	}
	return nil, 0
}

// fits reports a call whose number of arguments a function may have.
func fits(family string, s *Symbol, ref *ref) bool {
	params, args := int(s.facts.Params), int(ref.Args)
	switch family {
	case "java":
		return params == args
	case "go":
		return params == args || strings.Contains(s.Signature, "...") && args >= params-1 || args == 1 && params > 1
	case "python":
		return strings.Contains(s.Signature, "*") || args < params || s.parent < 0 && args == params || params == 0
	}
	return true
}

// ordinary are names that the languages' own types have, too: nothing can be said of a call of one on an unknown receiver.
var ordinary = wordSet(`get set add put pop push append extend insert remove delete clear update keys values items join split strip
	replace format encode decode read write close open flush seek tell send recv next iter len size count index find sort sorted
	reverse copy map filter reduce each forEach some every includes contains indexOf slice splice concat toString equals hashCode
	compareTo apply call bind then catch finally start stop run wait lower upper startswith endswith isEmpty length stream collect
	toList first last has test match exec search error Error String Write Read Close Len Less Swap Lock Unlock Done Err Add Get Set
	main init name value exists trim log info debug warn warning print println printf group groups group_by fetch all any min max sum
	abs select reject inject merge new to_s to_i to_h to_a empty? nil? is_a? respond_to? include? key? dup freeze of from emit on once`)

func wordSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, w := range strings.Fields(text) {
		set[w] = true
	}
	return set
}

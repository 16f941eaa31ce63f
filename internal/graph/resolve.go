package graph

import "strings"

// resolver resolves the references of one file. What it remembers is that file's own, so that its answers do not depend
// on which files were resolved before.
type resolver struct {
	g       *Graph
	memo    map[memoKey]thing
	imports []imported     // of the file
	modules [][]int32      // by file: the files of the modules that it imports, or imports from
	things  [][]thing      // by file and import: the module, once all are known
	reach   map[int32]bool // files that the file reaches through imports, once somebody asks
	file    int32
	steps   int // left for the reference at hand
}

type memoKey struct {
	file, in int32
	chain    string
}

// Depth bounds how deep expressions lead into others, steps how much work one reference may be.
const (
	maxDepth = 12
	maxSteps = 400
)

// eval gives what a chain means at a place: in is an index in the file, -1 for outside of all definitions.
func (r *resolver) eval(f int32, in int32, chain string, depth int) thing {
	if chain == "" || depth > maxDepth || r.steps <= 0 {
		return thing{}
	}
	r.steps--
	key := memoKey{f, in, chain}
	if t, ok := r.memo[key]; ok {
		return t
	}
	r.memo[key] = thing{} // what leads to itself is not known
	parts := split(chain)
	t := r.first(f, in, parts[0], depth)
	for _, part := range parts[1:] {
		if t.sort == nothing || t.sort == outside {
			break
		}
		name, called := strings.CutSuffix(part, "()")
		t = r.memberOf(t, name, depth+1)
		if called {
			t = r.result(t, depth+1)
		}
	}
	r.memo[key] = t
	return t
}

func (r *resolver) first(f, in int32, part string, depth int) thing {
	name, called := strings.CutSuffix(part, "()")
	var t thing
	switch name {
	case unknown:
		return thing{}
	case literal:
		return external
	case this, class, super:
		t = r.own(f, in, name, depth)
		if name == super && called && t.sort == aSymbol {
			return thing{instance, t.at}
		}
		return t
	case root:
		if id, ok := r.g.byPkg[r.g.files[f].family+"\x00"]; ok {
			return thing{aPackage, id}
		}
		return thing{}
	}
	t, local := r.lookup(f, in, name, depth)
	if local && t.sort == nothing {
		return t
	}
	if called {
		t = r.result(t, depth+1)
	}
	return t
}

// own is the class that a place belongs to, or an instance of it, or its first base.
func (r *resolver) own(f, in int32, what string, depth int) thing {
	file := &r.g.files[f]
	for in >= 0 {
		s := &r.g.symbols[file.first+in]
		holder := s.id
		if s.Kind.callable() && s.parent >= 0 && s.parent != s.in { // Go's and JavaScript's methods that stand elsewhere
			holder = s.parent
		}
		if h := &r.g.symbols[holder]; h.Kind.holder() || h.Kind == KindVariable {
			switch what {
			case class:
				return thing{aSymbol, holder}
			case this:
				return thing{instance, holder}
			}
			for _, b := range h.facts.Bases {
				if t := r.eval(h.file, r.g.within(h.in, h.file), b, depth+1); t.sort == aSymbol {
					return thing{instance, t.at}
				}
			}
			return external
		}
		in = file.facts.Symbols[in].Parent
	}
	return thing{}
}

// result is what calling something gives.
func (r *resolver) result(t thing, depth int) thing {
	switch t.sort {
	case aFile: // a CommonJS module that exports a function
		if d := r.exported(t.at, "default", depth+1); d.sort == aSymbol {
			return r.result(d, depth+1)
		}
		return thing{}
	case aSymbol:
		s := &r.g.symbols[t.at]
		if s.Kind.holder() {
			return thing{instance, t.at}
		}
		if s.facts.Value == "" {
			return thing{}
		}
		if s.facts.Value == "self" || s.facts.Value == this {
			return r.own(s.file, r.g.local(s.id), this, depth+1)
		}
		v := r.eval(s.file, r.g.local(s.id), s.facts.Value, depth+1)
		if !s.Kind.callable() && v.sort == aSymbol { // a variable that holds a class or function
			return r.result(v, depth+1)
		}
		return v
	case outside:
		return external
	}
	return thing{}
}

// valueOf is what a variable holds; other things are what they are.
func (r *resolver) valueOf(t thing, depth int) thing {
	if t.sort == aSymbol {
		if s := &r.g.symbols[t.at]; s.Kind == KindVariable || s.Kind == KindConstant {
			return r.eval(s.file, r.g.within(s.in, s.file), s.facts.Value, depth+1)
		}
	}
	return t
}

// memberOf is what a thing has by a name.
func (r *resolver) memberOf(t thing, name string, depth int) thing {
	if depth > maxDepth || r.steps <= 0 {
		return thing{}
	}
	r.steps--
	g := r.g
	switch t.sort {
	case outside:
		return external
	case aFile:
		return r.exported(t.at, name, depth+1)
	case aPackage:
		p := &g.packages[t.at]
		if id, ok := p.names[name]; ok && g.files[g.symbols[id].file].family != "python" {
			return thing{aSymbol, id}
		}
		sub, ok := p.subs[name]
		if init, has := p.subs["__init__"]; has && init < 0 {
			if m := r.exported(-1-init, name, depth+1); m.sort != nothing && !(m.sort == outside && ok) {
				return m
			}
		}
		switch {
		case !ok:
			return thing{}
		case sub < 0:
			return thing{aFile, -1 - sub}
		}
		return thing{aPackage, sub}
	case aSymbol, instance:
		s := &g.symbols[t.at]
		if s.Kind.holder() {
			return r.classMember(t.at, name, 0, depth+1)
		}
		if ids := g.members[member{t.at, name}]; len(ids) > 0 && !s.Kind.callable() || len(ids) > 0 && g.symbols[ids[0]].in != t.at {
			return thing{aSymbol, ids[0]}
		}
		if v := r.valueOf(t, depth+1); v != t && v.sort != nothing {
			return r.memberOf(v, name, depth+1)
		}
	}
	return thing{}
}

// classMember looks for a method or field in a class and those that it builds on. Where one of those is not of the
// codebase, what is not found may be its.
func (r *resolver) classMember(id int32, name string, level, depth int) thing {
	g := r.g
	if level > maxDepth || r.steps <= 0 {
		return thing{}
	}
	r.steps--
	if one, again := g.opened[id]; again {
		id = one
	}
	if ids := g.members[member{id, name}]; len(ids) > 0 {
		return thing{aSymbol, ids[0]}
	}
	s := &g.symbols[id]
	f := &g.files[s.file]
	if k, ok := f.binds[scoped{g.local(id), name}]; ok {
		chain := f.facts.Binds[k].Chain
		if chain == "" {
			return thing{}
		}
		in := g.local(id)
		if ids := g.members[member{id, "__init__"}]; len(ids) > 0 && f.family == "python" {
			in = g.local(ids[0]) // where self.x = x stands, usually
		} else if ids := g.members[member{id, "constructor"}]; len(ids) > 0 && f.family == "javascript" {
			in = g.local(ids[0])
		} else if ids := g.members[member{id, "__construct"}]; len(ids) > 0 && f.family == "php" {
			in = g.local(ids[0])
		} else if ids := g.members[member{id, "initialize"}]; len(ids) > 0 && f.family == "ruby" {
			in = g.within(ids[0], s.file)
		}
		return r.valueOf(r.eval(s.file, in, chain, depth+1), depth+1)
	}
	strange := false
	for _, b := range s.facts.Bases {
		t := r.eval(s.file, g.within(s.in, s.file), b, depth+1)
		if t.sort != aSymbol || t.at == id {
			strange = true
			continue
		}
		if m := r.classMember(t.at, name, level+1, depth+1); m.sort == outside {
			strange = true
		} else if m.sort != nothing {
			return m
		}
	}
	if strange {
		return external
	}
	return thing{}
}

package graph

// lookup finds a name by scope: what is around the place, the file, its imports, its package. local says that it is a
// local name, which hides all others whether or not it is known what it holds.
func (r *resolver) lookup(f, in int32, name string, depth int) (t thing, local bool) {
	g := r.g
	file := &g.files[f]
	grammar := grammars[file.family]
	for at := in; at >= 0; at = file.facts.Symbols[at].Parent {
		s := &g.symbols[file.first+at]
		if s.Kind.callable() {
			if k, ok := file.binds[scoped{at, name}]; ok {
				b := file.facts.Binds[k]
				if b.Chain == name { // x = x holds what x is outside
					continue
				}
				return r.eval(f, at, b.Chain, depth+1), true
			}
			if k, ok := file.scope[scoped{at, name}]; ok {
				return r.brought(f, k, depth+1), false
			}
		}
		holder := s.Kind.holder()
		if holder && grammar.bareMember {
			if m := r.classMember(s.id, name, 0, depth+1); m.sort == aSymbol || m.sort == instance {
				return m, false
			}
		} else if ids := g.members[member{s.id, name}]; len(ids) > 0 && g.symbols[ids[0]].in == s.id &&
			(!holder || at == in) && file.family != "go" {
			return thing{aSymbol, ids[0]}, false
		}
	}
	if id, ok := file.top[name]; ok {
		return thing{aSymbol, r.defined(id)}, false
	}
	if k, ok := file.scope[scoped{-1, name}]; ok {
		return r.brought(f, k, depth+1), false
	}
	if file.pkg >= 0 && file.family != "python" {
		p := &g.packages[file.pkg]
		if id, ok := p.names[name]; ok && (file.test || !g.files[g.symbols[id].file].test) {
			return thing{aSymbol, id}, false
		}
		if sub, ok := p.subs[name]; ok && sub >= 0 && (file.family == "java" || file.family == "php") {
			return thing{aPackage, sub}, false
		}
	}
	switch file.family {
	case "java", "php": // a.b.C in full; PHP's functions also without a namespace
		if root, ok := g.byPkg[file.family+"\x00"]; ok {
			t := g.below(thing{aPackage, root}, name)
			if t.sort == aPackage || t.sort == aSymbol && file.family == "php" && !g.symbols[t.at].Kind.holder() {
				return t, false
			}
		}
	case "ruby":
		if t := r.constant(f, in, name); t.sort != nothing {
			return t, false
		}
	}
	t = r.starred(f, name, depth+1)
	if t.sort == nothing && file.family != "ruby" && file.family != "c" && name[0] != '$' {
		return external, false // the language's own: all others have to be brought in
	}
	return t, false
}

// defined is the definition behind one of C's prototypes. Those of other languages' declarations stand beside them, or are
// many: see [Graph.Bodies].
func (r *resolver) defined(id int32) int32 {
	g := r.g
	s := &g.symbols[id]
	if !s.facts.Declared || g.files[s.file].family != "c" {
		return id
	}
	best, near := id, -1
	for _, other := range g.byName["c\x00"+s.Name] {
		o := &g.symbols[other]
		if o.facts.Declared || o.facts.Static || o.facts.Parent >= 0 || o.Kind != s.Kind {
			continue
		}
		closeness := shared(s.File, o.File)
		if stem(s.File) == stem(o.File) {
			closeness += 1000
		}
		if closeness > near {
			best, near = other, closeness
		}
	}
	return best
}

// shared is the length of the directories that two paths have in common.
func shared(a, b string) int {
	n := 0
	for i := 0; i < len(a) && i < len(b) && a[i] == b[i]; i++ {
		if a[i] == '/' {
			n = i
		}
	}
	return n
}

// constant finds a class or module of Ruby: those around the place first, then any of the name at the outside.
func (r *resolver) constant(f, in int32, name string) thing {
	g := r.g
	if name == "" || name[0] < 'A' || name[0] > 'Z' {
		return thing{}
	}
	file := &g.files[f]
	around := ""
	if in >= 0 {
		around = g.symbols[file.first+in].Qualified
	}
	ids := g.byName["ruby\x00"+name]
	for {
		want := name
		if around != "" {
			want = around + "." + name
		}
		for _, id := range ids {
			if s := &g.symbols[id]; s.Qualified == want && !s.Kind.callable() {
				if one, again := g.opened[id]; again {
					id = one
				}
				return thing{aSymbol, id}
			}
		}
		if around == "" {
			return thing{}
		}
		around = parentOf(around)
	}
}

func parentOf(qualified string) string {
	for i := len(qualified) - 1; i >= 0; i-- {
		if qualified[i] == '.' {
			return qualified[:i]
		}
	}
	return ""
}

// brought is what an import brings in.
func (r *resolver) brought(f, k int32, depth int) thing {
	g := r.g
	file := &g.files[f]
	b := &file.facts.Imports[k]
	if depth > maxDepth || r.steps <= 0 {
		return thing{}
	}
	r.steps--
	if file.family == "python" && b.Name == "" && b.As == "" { // import a.b names a
		for i := range len(b.Module) {
			if b.Module[i] == '.' {
				return g.module(file, b.Module[:i])
			}
		}
	}
	m := g.module(file, b.Module)
	if b.Name == "" {
		if file.family == "javascript" && m.sort == aFile { // const A = require("./a")
			if d := r.exported(m.at, "module.exports", depth+1); d.sort == aSymbol {
				return d
			}
		}
		return m
	}
	if m.sort == aFile && file.family == "javascript" && b.Module == self {
		return r.eval(f, -1, b.Name, depth+1)
	}
	t := r.memberOf(m, b.Name, depth+1)
	if t.sort == nothing {
		return external // generated, or made at run time: in any case no other thing of that name
	}
	return t
}

// exported is what a file offers to others by a name.
func (r *resolver) exported(f int32, name string, depth int) thing {
	g := r.g
	file := &g.files[f]
	if depth > maxDepth || r.steps <= 0 {
		return thing{}
	}
	r.steps--
	key := memoKey{f, -2, name}
	if t, ok := r.memo[key]; ok {
		return t
	}
	r.memo[key] = thing{}
	t := r.export(file, f, name, depth)
	r.memo[key] = t
	return t
}

func (r *resolver) export(file *file, f int32, name string, depth int) thing {
	g := r.g
	if name == "module.exports" {
		if ks := file.exports["default"]; len(ks) > 0 && file.facts.Imports[ks[0]].Module == self {
			return r.brought(f, ks[0], depth+1)
		}
		return thing{}
	}
	if id, ok := file.top[name]; ok {
		return thing{aSymbol, r.defined(id)}
	}
	if ks := file.exports[name]; len(ks) > 0 {
		return r.brought(f, ks[0], depth+1)
	}
	if file.family == "python" || file.family == "go" {
		if k, ok := file.scope[scoped{-1, name}]; ok && file.family == "python" {
			return r.brought(f, k, depth+1)
		}
	}
	for _, k := range file.stars {
		b := &file.facts.Imports[k]
		if !b.Export {
			continue
		}
		if t := r.memberOf(g.module(file, b.Module), name, depth+1); t.sort == aSymbol || t.sort == aFile || t.sort == aPackage {
			return t
		}
	}
	if name == "default" { // an interop import of a module that only has names
		return thing{}
	}
	if ks := file.exports["default"]; len(ks) > 0 && file.family == "javascript" {
		if d := r.brought(f, ks[0], depth+1); d.sort == aSymbol && !g.symbols[d.at].Kind.callable() {
			return r.memberOf(d, name, depth+1)
		}
	}
	return thing{}
}

// moduleOf is what an import of a file brings in.
func (r *resolver) moduleOf(f, k int32) thing {
	if r.things != nil {
		return r.things[f][k]
	}
	file := &r.g.files[f]
	return r.g.module(file, file.facts.Imports[k].Module)
}

// starred looks for a name in all that a file brings in whole.
func (r *resolver) starred(f int32, name string, depth int) thing {
	g := r.g
	file := &g.files[f]
	strange := false
	for _, k := range file.stars {
		m := r.moduleOf(f, k)
		if m.sort == outside {
			strange = true
			continue
		}
		if t := r.memberOf(m, name, depth+1); t.sort == aSymbol || t.sort == aFile || t.sort == aPackage {
			return t
		}
	}
	if strange {
		return external
	}
	return thing{}
}

package graph

import "slices"

// mostBases bounds how many classes one is held to build on: code may be hostile.
const mostBases = 20

// Bases are the classes and interfaces of the codebase that one builds on, the nearest first.
func (g *Graph) Bases(s *Symbol) []*Symbol {
	all := []*Symbol{s}
	for i := 0; i < len(all) && i < mostBases; i++ {
		for _, e := range g.edgesIn(all[i].file) {
			if to := &g.symbols[e.to]; e.role == Extends && e.from == all[i].id && !slices.Contains(all, to) {
				all = append(all, to)
			}
		}
	}
	return all[1:]
}

// Bodies are the definitions that do what a symbol says: the symbol itself, unless it is only declared: an overload's
// signature, a method of an interface, an abstract one. Then it is the definition of its name in its own scope, or else the
// methods that stand in for it in what builds on its class; in Go, those of types that have all of an interface's methods.
// There may be none.
func (g *Graph) Bodies(s *Symbol) []*Symbol {
	if !s.facts.Declared {
		return []*Symbol{s}
	}
	if g.files[s.file].family == "c" {
		if d := (&resolver{g: g}).defined(s.id); d != s.id {
			return []*Symbol{&g.symbols[d]}
		}
		return nil
	}
	if id, ok := g.sibling(s); ok {
		return []*Symbol{&g.symbols[id]}
	}
	if s.parent < 0 {
		return nil
	}
	var list []*Symbol
	for _, id := range g.byName[g.files[s.file].family+"\x00"+s.Name] {
		m := &g.symbols[id]
		if m.facts.Declared || m.facts.Adds || m.parent < 0 || !m.Kind.callable() ||
			g.files[m.file].family == "java" && m.facts.Params != s.facts.Params {
			continue
		}
		if c := &g.symbols[m.parent]; c.Kind.holder() && g.fulfils(c, &g.symbols[s.parent]) {
			list = append(list, m)
		}
	}
	return list
}

// Declarations are the declarations that a definition is one of the Bodies of.
func (g *Graph) Declarations(s *Symbol) []*Symbol {
	var list []*Symbol
	for _, id := range g.byName[g.files[s.file].family+"\x00"+s.Name] {
		if d := &g.symbols[id]; d.facts.Declared && slices.Contains(g.Bodies(d), s) {
			list = append(list, d)
		}
	}
	return list
}

// sibling is the definition of a declaration's name in the same scope.
func (g *Graph) sibling(s *Symbol) (id int32, ok bool) {
	if s.parent >= 0 {
		ids := g.members[member{s.parent, s.Name}]
		return ids[0], !g.symbols[ids[0]].facts.Declared
	}
	id, ok = g.files[s.file].top[s.Name]
	return id, ok && !g.symbols[id].facts.Declared
}

// fulfils reports a class that builds on another or, for an interface of Go, a type with all its methods.
func (g *Graph) fulfils(c, other *Symbol) bool {
	if slices.Contains(g.Bases(c), other) {
		return true
	}
	if g.files[other.file].family != "go" || other.Kind != KindInterface || c.Kind == KindInterface {
		return false
	}
	own := append([]*Symbol{c}, g.Bases(c)...)
	for _, from := range append([]*Symbol{other}, g.Bases(other)...) {
		for _, m := range g.Symbols(from.File) {
			if m.parent == from.id && m.Kind.callable() && !slices.ContainsFunc(own, func(h *Symbol) bool {
				return len(g.members[member{h.id, m.Name}]) > 0
			}) {
				return false
			}
		}
	}
	return true
}

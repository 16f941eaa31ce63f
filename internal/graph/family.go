package graph

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/graph/alike"
)

// family compares files.
func (g *Graph) family(paths []string) Variant {
	v := Variant{Files: paths}
	owns := alike.Owns(paths)
	files := make([]relative, len(paths))
	var names []string
	for i, p := range paths {
		files[i] = g.relative(p, owns[i])
		for name := range files[i].parts {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		g.comparePart(&v, files, name)
	}
	g.compareRest(&v, files)
	slices.SortStableFunc(v.Exceptions, func(a, b Exception) int {
		return cmp.Or(cmp.Compare(a.files, b.files), cmp.Compare(b.score, a.score))
	})
	slices.SortStableFunc(v.Partial, func(a, b Partial) int {
		return cmp.Compare(min(len(a.Have), len(a.Lack)), min(len(b.Have), len(b.Lack)))
	})
	return v
}

// comparePart compares what the files have under one name.
func (g *Graph) comparePart(v *Variant, files []relative, name string) {
	code, docs := make([]alike.Piece, len(files)), make([]alike.Piece, len(files))
	part := Partial{Part: name}
	callable := false
	for i, f := range files {
		p, ok := f.parts[name]
		if !ok {
			part.Lack = append(part.Lack, f.path)
			continue
		}
		part.Have = append(part.Have, f.path)
		callable = callable || p.symbol.Kind.callable()
		code[i].Tokens, docs[i].Tokens = p.tokens, alike.Words(p.symbol.Doc, p.symbol.Line, f.own)
	}
	if len(part.Lack) > 0 && callable {
		v.Partial = append(v.Partial, part)
	}
	if len(part.Have) < 3 {
		return
	}
	symbol := func(member int) *Symbol { return files[member].parts[name].symbol }
	c := alike.Compare(code)
	if len(c.Apart)*3 > len(part.Have) {
		s := symbol(c.Apart[0])
		c.Split = append(c.Split, alike.Span{Piece: c.Apart[0], Line: s.Line, EndLine: s.EndLine})
		c.Apart = nil
	}
	list := g.exceptions(files, c.Departures)
	for _, m := range c.Apart {
		s := symbol(m)
		list = append(list, Exception{What: OtherBody, Of: len(part.Have), files: 1, Places: []Place{g.quote(s.File, s.Line, s.EndLine)}})
	}
	usualDoc := map[string]string{} // where a comment is the only one that says something else
	for _, d := range alike.Compare(docs).Departures {
		if s := symbol(d.Piece); d.Agree == d.Of-1 && usualDoc[s.File] == "" && d.Model.Piece >= 0 {
			usualDoc[s.File] = symbol(d.Model.Piece).Doc
			if !slices.ContainsFunc(list, func(e Exception) bool { return e.Places[0].File == s.File }) {
				list = append(list, Exception{What: OtherComment, Of: d.Of, files: 1, Places: []Place{g.quote(s.File, s.Line, s.Line)}})
			}
		}
	}
	many := 0
	for _, e := range list {
		many += e.files
	}
	if many > max(3, len(part.Have)/3) { // then it says little that a file departs
		slices.SortStableFunc(list, func(a, b Exception) int { return cmp.Compare(b.score, a.score) })
		kept := 0
		list = slices.DeleteFunc(list, func(e Exception) bool {
			if callable && kept < 2 && e.files <= max(2, len(part.Have)/5) {
				kept++
				return false
			}
			p := e.Places[0]
			c.Split = append(c.Split, alike.Span{Piece: slices.Index(v.Files, p.File), Line: p.Line, EndLine: p.EndLine})
			return true
		})
	}
	for _, e := range list {
		path := e.Places[0].File
		e.Part, e.Doc, e.UsualDoc = name, symbol(slices.Index(v.Files, path)).Doc, usualDoc[path]
		v.Exceptions = append(v.Exceptions, e)
	}
	if len(c.Split) > 0 && callable {
		u := Unsettled{Part: name, Files: len(part.Have)}
		for _, s := range c.Split {
			if s.Piece >= 0 {
				u.Places = append(u.Places, Place{File: files[s.Piece].path, Line: s.Line, EndLine: s.EndLine})
			}
		}
		v.Unsettled = append(v.Unsettled, u)
	}
}

// exceptions puts the departures of each file together, and files that depart in the same ways.
func (g *Graph) exceptions(files []relative, departures []alike.Departure) (list []Exception) {
	byPiece := map[int][]alike.Departure{}
	for _, d := range departures {
		byPiece[d.Piece] = append(byPiece[d.Piece], d)
	}
	same := map[string]int{}
	for _, member := range slices.Sorted(maps.Keys(byPiece)) {
		all := byPiece[member]
		slices.SortStableFunc(all, func(a, b alike.Departure) int { return cmp.Compare(a.Line, b.Line) })
		var ways strings.Builder
		e := Exception{What: OtherCode, files: 1}
		for _, d := range all {
			ways.WriteString(d.Same + "\n")
			e.Of, e.score = d.Of, max(e.score, d.Score)
			has := g.quote(files[member].path, d.Line, d.EndLine)
			e.Places = append(e.Places, has)
			diff := Diff{Has: has}
			if m := d.Model; m.Piece >= 0 {
				diff.Usual = g.quote(files[m.Piece].path, m.Line, m.EndLine)
			}
			diff.Has = g.instead(diff.Has, d.Has, d.Usual)
			diff.Usual = g.instead(diff.Usual, d.Usual, d.Has)
			e.Diff = append(e.Diff, diff)
		}
		e.Places = joined(e.Places)
		if n, ok := same[ways.String()]; ok {
			list[n].files++
			list[n].Places = append(list[n].Places, e.Places...)
			continue
		}
		same[ways.String()] = len(list)
		list = append(list, e)
	}
	return list
}

// instead is what to show of a place that says this where the other side says that: nothing of one that only lacks lines, the
// line behind it where all that is different is how far in that stands.
func (g *Graph) instead(p Place, this, that string) Place {
	switch {
	case this != "" || p.EndLine <= p.Line:
	case alike.OnlyLayout(that):
		return g.quote(p.File, p.EndLine, p.EndLine)
	default:
		p.text = ""
	}
	return p
}

// joined are places of one file, in order, those that touch as one.
func joined(places []Place) (list []Place) {
	for _, p := range places {
		if n := len(list) - 1; n >= 0 && p.Line <= list[n].EndLine+1 {
			list[n].EndLine = max(list[n].EndLine, p.EndLine)
			continue
		}
		list = append(list, p)
	}
	return list
}

func (g *Graph) quote(path string, from, to int) Place {
	return Place{path, from, to, g.lines(path, from, to)}
}

// compareRest compares the lines outside of all parts as sets: what few files lack.
func (g *Graph) compareRest(v *Variant, files []relative) {
	count := map[string]int{}
	for _, f := range files {
		for line := range f.rest {
			count[line]++
		}
	}
	for _, line := range slices.Sorted(maps.Keys(count)) {
		lack := len(files) - count[line]
		if lack == 0 || lack > max(1, len(files)/6) || count[line] < 2 {
			continue
		}
		e := Exception{What: OtherLine, Of: len(files), files: lack}
		var usual Place
		for _, f := range files {
			n := f.rest[line]
			if n == 0 {
				n = f.resembling(line, count)
				e.Places = append(e.Places, g.quote(f.path, n, n))
			} else if usual.Line == 0 {
				usual = g.quote(f.path, n, n)
			}
		}
		e.Diff = []Diff{{e.Places[0], usual}}
		v.Exceptions = append(v.Exceptions, e)
	}
}

// resembling is where a file has a line of its own that resembles one that it lacks, 0 for none.
func (r relative) resembling(line string, count map[string]int) int {
	want := strings.Fields(line)
	best, at := 0.6, 0
	for own, n := range r.rest {
		words := strings.Fields(own)
		if count[own] >= count[line] {
			continue
		}
		shared := 0
		for _, w := range words {
			shared += map[bool]int{true: 1}[slices.Contains(want, w)]
		}
		if score := float64(shared) / float64(max(len(words), len(want))); score > best || score == best && n < at {
			best, at = score, n
		}
	}
	return at
}

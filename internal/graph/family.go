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
	whole := func(member int) Place {
		s := files[member].parts[name].symbol
		return g.quote(s.File, s.Line, s.EndLine)
	}
	varying := Unsettled{Part: name, Files: len(part.Have)}
	c := alike.Compare(code)
	list := g.exceptions(files, c.Departures)
	switch apart := c.Apart; {
	case len(apart)*3 <= len(part.Have):
		for _, m := range apart {
			list = append(list, Exception{What: OtherBody, Of: len(part.Have), files: 1, Places: []Place{whole(m)}})
		}
	default: // there are two ways to write it: those of the other one are compared among themselves
		varying.Places = append(varying.Places, whole(apart[0]))
		for m := range code {
			if !slices.Contains(apart, m) {
				code[m].Tokens = nil
			}
		}
		list = append(list, g.exceptions(files, alike.Compare(code).Departures)...)
	}
	for _, s := range c.Split {
		if s.Piece >= 0 {
			varying.Places = append(varying.Places, Place{File: files[s.Piece].path, Line: s.Line, EndLine: s.EndLine})
		}
	}
	usual := map[string]string{} // what others promise, by files that alone promise something else
	for _, d := range alike.Compare(docs).Departures {
		p := whole(d.Piece)
		if d.Agree < d.Of-1 || d.Model.Piece < 0 || usual[p.File] != "" {
			continue
		}
		usual[p.File] = files[d.Model.Piece].parts[name].symbol.Doc
		if !slices.ContainsFunc(list, func(e Exception) bool { return e.Places[0].File == p.File }) {
			list = append(list, Exception{What: OtherComment, Of: d.Of, files: 1, Places: []Place{{File: p.File, Line: p.Line, EndLine: p.Line}}})
		}
	}
	list, common := rare(list, len(part.Have), callable)
	varying.Places = append(varying.Places, common...)
	for _, e := range list {
		path := e.Places[0].File
		e.Part, e.Doc, e.UsualDoc = name, files[slices.Index(v.Files, path)].parts[name].symbol.Doc, usual[path]
		v.Exceptions = append(v.Exceptions, e)
	}
	if len(varying.Places) > 0 && callable {
		v.Unsettled = append(v.Unsettled, varying)
	}
}

// rare leaves those exceptions that say something. Where many files depart, each in its own way or all in one, few do: the
// most telling ones of few files. It also gives where the others are.
func rare(list []Exception, have int, callable bool) (kept []Exception, common []Place) {
	many := 0
	for _, e := range list {
		many += e.files
	}
	if many <= max(3, have/3) {
		return list, nil
	}
	slices.SortStableFunc(list, func(a, b Exception) int { return cmp.Compare(b.score, a.score) })
	for _, e := range list {
		if callable && len(kept) < mostOfMany && e.files <= max(2, have/3) {
			kept = append(kept, e)
		} else {
			common = append(common, e.Places[0])
		}
	}
	return kept, common
}

// mostOfMany is how many exceptions are given of a function in which many files depart.
const mostOfMany = 3

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
			diff.Has = g.instead(diff.Has, d, d.Has, d.Usual)
			diff.Usual = g.instead(diff.Usual, d, d.Usual, d.Has)
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

// instead is what to show of a place that says this where the other side says that: nothing where it only lacks lines, the
// line behind it where all that is different is how far in that stands.
func (g *Graph) instead(p Place, d alike.Departure, this, that string) Place {
	switch {
	case this != "":
	case alike.OnlyLayout(that):
		return g.quote(p.File, p.EndLine, p.EndLine)
	case d.Whole:
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

// quote is a place with its text; from line 0 on there is none.
func (g *Graph) quote(path string, from, to int) Place {
	p := Place{File: path, Line: from, EndLine: to}
	if from > 0 {
		p.text = g.lines(path, from, to)
	}
	return p
}

// mostRest bounds the lines outside of all parts that are looked into.
const mostRest = 60

// compareRest compares the lines outside of all parts as sets: what few files lack.
func (g *Graph) compareRest(v *Variant, files []relative) {
	count := map[string]int{}
	for _, f := range files {
		for line := range f.rest {
			count[line]++
		}
	}
	most := len(v.Exceptions) + mostRest
	for _, line := range slices.Sorted(maps.Keys(count)) {
		lack := len(files) - count[line]
		if len(v.Exceptions) == most || lack == 0 || lack > max(1, len(files)/6) || count[line] < 2 {
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
			if slices.Contains(want, w) {
				shared++
			}
		}
		if score := float64(shared) / float64(max(len(words), len(want))); score > best || score == best && n < at {
			best, at = score, n
		}
	}
	return at
}

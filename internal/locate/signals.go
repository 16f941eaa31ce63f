package locate

import (
	"math"
	"path"
	"strings"
)

// The signals of files, by number; their names are what people see.
const (
	fWords = iota
	fTitle
	fCode
	fPart
	fPath
	fFrame
	fDefines
	fPhrase
	fQuoted
	fWalk
	fTold
	fChanges
	fRecent
	fTogether
	fTests
	fSize
	fMinor
	fileSignals
)

var fileNames = [fileSignals]string{"words", "title", "code", "best function", "path", "stack trace", "defines", "message", "quoted lines",
	"graph", "commits", "changes", "recent", "changed together", "tests", "size", "minor"}

// The signals of functions.
const (
	pWords = iota
	pTitle
	pCode
	pNamed
	pFrame
	pPhrase
	pQuoted
	pWalk
	pAround
	pClass
	pSize
	pPrivate
	pCovered
	pParent
	pWhole
	pFile
	placeSignals
)

var placeNames = [placeSignals]string{"words", "title", "code", "name", "stack trace", "message", "quoted lines", "graph", "class named",
	"is a class", "size", "private", "name said", "within", "is a file", "file"}

// evidence is what a query says of every file and place: a row of signals each, between 0 and 1.
type evidence struct {
	files  [][fileSignals]float64
	places [][placeSignals]float64
}

// gather makes the evidence of a query, all but pFile, which takes the files' scores.
func (x *Index) gather(q *query) evidence {
	c := x.count(q)
	nf, np := len(x.files), len(x.places)
	column := func(n int, v func(i int) float64) []float64 {
		out := make([]float64, n)
		for i := range out {
			out[i] = v(i)
		}
		return out
	}
	bm := func(want func(int) float64) []float64 {
		return column(nf, func(i int) float64 {
			return ofFiles.score(c.files[i], x.files[i].length, c.meanFile, c.inFiles, nf, want)
		})
	}
	bmPlace := func(want func(int) float64) []float64 {
		return column(np, func(i int) float64 {
			return ofPlaces.score(c.places[i], x.places[i].length, c.meanPlace, c.inPlaces, np, want)
		})
	}
	n := x.named(q)
	phraseFiles, phrasePlaces := x.phrases(q)
	words, pwords := bm(q.said), bmPlace(q.said)
	var e evidence
	e.files = make([][fileSignals]float64, nf)
	e.places = make([][placeSignals]float64, np)
	set := func(signal int, column []float64) {
		for i, v := range scaled(column, func(i int) bool { return !x.files[i].test }) {
			e.files[i][signal] = v
		}
	}
	setPlace := func(signal int, column []float64) {
		for i, v := range scaled(column, func(i int) bool { return !x.places[i].file.test }) {
			e.places[i][signal] = v
		}
	}
	set(fWords, words)
	set(fTitle, bm(q.saidInTitle))
	set(fCode, bm(q.saidInCode))
	best := make([]float64, nf)
	for i, v := range pwords {
		if f := x.places[i].file; !x.places[i].whole() {
			best[f.id] = max(best[f.id], v)
		}
	}
	set(fPart, best)
	raw := func(signal int, column []float64) {
		for i, v := range column {
			e.files[i][signal] = min(v, 1)
		}
	}
	quotedFiles, quotedPlaces := x.quotes(q)
	raw(fQuoted, quotedFiles)
	raw(fPath, n.paths)
	raw(fFrame, n.frames)
	set(fDefines, roots(n.defines))
	raw(fPhrase, roots(phraseFiles))
	seeds := make([]float64, nf)
	for i := range seeds {
		if !x.files[i].test {
			v := e.files[i][fWords]*e.files[i][fWords] + e.files[i][fPath] + e.files[i][fFrame] + e.files[i][fQuoted] +
				e.files[i][fDefines]*e.files[i][fDefines]
			seeds[i] = v * v
		}
	}
	l := x.links()
	set(fWalk, roots(walk(l.to, seeds)))
	set(fTold, x.past.told(q, nf))
	set(fChanges, column(nf, func(i int) float64 { return math.Log1p(x.past.changes[i]) }))
	raw(fRecent, column(nf, func(i int) float64 { return math.Exp(-x.past.last[i] / 180) }))
	set(fTogether, roots(x.past.together(top(seeds, 8))))
	set(fTests, x.tested(words, l))
	set(fSize, column(nf, func(i int) float64 { return math.Log1p(float64(x.files[i].lines)) }))
	raw(fMinor, column(nf, func(i int) float64 { return minor(x.files[i].path) }))

	setPlace(pWords, pwords)
	setPlace(pTitle, bmPlace(q.saidInTitle))
	setPlace(pCode, bmPlace(q.saidInCode))
	setPlace(pNamed, roots(n.places))
	setPlace(pCovered, c.covered)
	pseeds := make([]float64, np)
	for i, p := range x.places {
		e.places[i][pFrame] = n.inFrames[i]
		e.places[i][pQuoted] = quotedPlaces[i]
		e.places[i][pPhrase] = min(math.Sqrt(phrasePlaces[i]), 1)
		if p.parent != nil {
			e.places[i][pAround] = e.places[p.parent.id][pNamed]
			e.places[i][pParent] = e.places[p.parent.id][pWords]
		}
		e.places[i][pWhole] = yes(p.whole())
		e.places[i][pClass] = yes(isClass(p))
		e.places[i][pSize] = min(math.Log1p(float64(p.EndLine-p.Line))/6, 1)
		e.places[i][pPrivate] = yes(strings.HasPrefix(p.Name, "_") && !strings.HasPrefix(p.Name, "__"))
		if !p.file.test {
			v := e.places[i][pWords]*e.places[i][pWords] + e.places[i][pNamed]*e.places[i][pNamed] + n.inFrames[i] + quotedPlaces[i]
			pseeds[i] = v * v
		}
	}
	setPlace(pWalk, roots(walk(l.within, top(pseeds, 200))))
	return e
}

// scaled divides by the largest that counts.
func scaled(column []float64, counts func(int) bool) []float64 {
	most := 0.0
	for i, v := range column {
		if counts(i) {
			most = max(most, v)
		}
	}
	if most == 0 {
		return column
	}
	for i := range column {
		column[i] = min(column[i]/most, 1)
	}
	return column
}

func roots(column []float64) []float64 {
	for i := range column {
		column[i] = math.Sqrt(column[i])
	}
	return column
}

// top keeps the largest n.
func top(column []float64, n int) []float64 {
	out := make([]float64, len(column))
	for _, i := range ranked(column, n, func(int) bool { return false }) {
		out[i] = column[i]
	}
	return out
}

// tested scores files by the tests that speak of the query: each of the best tests hands its score to the file that it is named
// after, and a share to the files that it uses.
func (x *Index) tested(words []float64, l links) []float64 {
	out := make([]float64, len(x.files))
	only := make([]float64, len(words))
	for i, f := range x.files {
		if f.test {
			only[i] = words[i]
		}
	}
	for i, v := range top(only, 10) {
		if v == 0 {
			continue
		}
		base := strings.TrimPrefix(path.Base(x.files[i].path), "test_")
		for _, f := range x.book().bases[base] {
			if !f.test {
				out[f.id] = max(out[f.id], v)
			}
		}
		total := 0.0
		for _, e := range l.to[i] {
			total += e.weight
		}
		for _, e := range l.to[i] {
			out[e.to] += 0.5 * v * e.weight / total
		}
	}
	return out
}

// minor tells files that a change seldom begins with: what only hands on, sets up, documents or shows.
func minor(p string) float64 {
	switch base := path.Base(p); {
	case base == "__init__.py":
		return 0.5
	case base == "setup.py" || base == "conf.py" || base == "conftest.py":
		return 1
	}
	for part := range strings.SplitSeq(path.Dir(p), "/") {
		switch part {
		case "doc", "docs", "example", "examples", "bin", "benchmarks", "release", "extras", "tools", "scripts", "asv_bench":
			return 1
		}
	}
	return 0
}

func isClass(p *place) bool { return !p.whole() && p.Kind != "function" && p.Kind != "method" }

package locate

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/language"
)

// maxFile is the largest file that is read, in bytes.
const maxFile = 1 << 20

// Index is what is known of a codebase before a text is asked for. It is safe for concurrent use.
type Index struct {
	code    *codebase.Codebase
	graph   *graph.Graph
	files   []*file
	byPath  map[string]*file
	places  []*place // of all files
	past    past
	weights weights
	notes   []string
	links   func() links
	book    func() *book
}

// file is a source file as bags of words.
type file struct {
	path   string
	id     int
	test   bool
	lines  int
	ids    map[string]int32 // the file's own numbers of its words
	tokens []token
	places []*place
	at     []int32 // by line, from 1: the innermost of places
	length [fields]float64
}

type token struct {
	word int32
	line int32
	f    field
}

// place is a function, method or class, or a file outside of these, which is the first of its places.
type place struct {
	*graph.Symbol
	file   *file
	id     int // among all
	parent *place
	length [fields]float64
	name   []int32 // the words of its name
	around []int32 // the words of its class's and its file's names
}

// New reads a codebase. A history that git fails on counts as far as it was read. The errors are ctx's and the graph's.
func New(ctx context.Context, code *codebase.Codebase, o Options) (*Index, error) {
	g, err := o.Graph(ctx)
	if err != nil {
		return nil, err
	}
	x := &Index{code: code, graph: g, byPath: map[string]*file{}}
	for _, p := range code.Paths() {
		info, _ := code.File(p)
		if !language.Source(info.Language) {
			continue
		}
		f := &file{path: p, id: len(x.files), test: codebase.IsTest(p) || g.IsTest(p), lines: info.Lines}
		x.files = append(x.files, f)
		x.byPath[p] = f
	}
	var all sync.WaitGroup
	next := make(chan *file)
	for range 4 {
		all.Go(func() {
			for f := range next {
				x.read(f)
			}
		})
	}
	for _, f := range x.files {
		if ctx.Err() == nil {
			next <- f
		}
	}
	close(next)
	all.Wait()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	for _, f := range x.files {
		for _, p := range f.places {
			p.id = len(x.places)
			x.places = append(x.places, p)
		}
	}
	log, err := code.History(ctx, maxCommits)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		x.notes = append(x.notes, fmt.Sprintf("the history counts as far as it was read, %d commits: %v", len(log), err))
	}
	x.past = readPast(log, x.byPath)
	x.weights = weightsWithout(o.HeldOut)
	x.links, x.book = sync.OnceValue(x.link), sync.OnceValue(x.readBook)
	return x, nil
}

// read fills a file's words and places.
func (x *Index) read(f *file) {
	text, _ := x.code.Text(f.path)
	if len(text) > maxFile {
		text = text[:maxFile]
	}
	f.lines = strings.Count(text, "\n") + 1
	f.ids = map[string]int32{}
	f.readPlaces(x.graph.Symbols(f.path))
	starts := make([]int32, 0, f.lines) // where each line begins
	starts = append(starts, 0)
	for i := range len(text) {
		if text[i] == '\n' {
			starts = append(starts, int32(i+1))
		}
	}
	info, _ := x.code.File(f.path)
	line := 0
	scan(info.Language, text, func(kind field, piece string, from int) {
		eachWord(piece, func(w string, at int) {
			for line+1 < len(starts) && int(starts[line+1]) <= from+at {
				line++
			}
			f.add(w, int32(line+1), kind)
		})
	})
	nameOf(f.path, func(w string) { f.add(w, 0, inPath) })
	var base []int32
	nameOf(path.Base(f.path), func(w string) { base = append(base, f.word(w)) })
	for _, p := range f.places {
		nameWords(p.Name, func(w string) { // none of a file: its path counts already
			f.add(w, int32(p.Line), inNames)
			p.name = append(p.name, f.word(w))
		})
		p.around = base
		if p.parent != nil {
			p.around = slices.Concat(base, p.parent.name)
		}
		p.length[inPath] = float64(len(p.around))
	}
	for _, t := range f.tokens {
		f.length[t.f]++
		if p := f.placeAt(int(t.line)); p != nil {
			p.length[t.f]++
		}
	}
}

// nameOf hands on the words of a path, without its ending.
func nameOf(p string, word func(string)) {
	for part := range strings.SplitSeq(strings.TrimSuffix(p, path.Ext(p)), "/") {
		eachWord(part, func(w string, _ int) { word(w) })
	}
}

func (f *file) add(w string, line int32, kind field) {
	if !common[w] {
		f.tokens = append(f.tokens, token{f.word(w), line, kind})
	}
}

// word is the file's number of a word.
func (f *file) word(w string) int32 {
	id, ok := f.ids[w]
	if !ok {
		id = int32(len(f.ids))
		f.ids[w] = id
	}
	return id
}

// readPlaces takes the functions and classes among a file's definitions.
func (f *file) readPlaces(symbols []*graph.Symbol) {
	f.at = make([]int32, f.lines+2)
	f.places = []*place{{Symbol: &graph.Symbol{File: f.path, Line: 1, EndLine: f.lines}, file: f}}
	byName := map[string]*place{}
	for _, s := range symbols {
		switch s.Kind {
		case graph.KindFunction, graph.KindMethod, graph.KindClass, graph.KindInterface, graph.KindType:
		default:
			continue
		}
		p := &place{Symbol: s, file: f, parent: byName[s.Parent]}
		byName[s.Qualified] = p
		for n := max(s.Line, 1); n <= min(s.EndLine, f.lines); n++ { // an outer one stands before its inner ones
			f.at[n] = int32(len(f.places))
		}
		f.places = append(f.places, p)
	}
}

// placeAt is the innermost place that holds a line, nil for none.
func (f *file) placeAt(line int) *place {
	if line < 1 || line >= len(f.at) || len(f.places) == 0 {
		return nil
	}
	return f.places[f.at[line]]
}

// whole reports whether a place is a file outside of its functions and classes.
func (p *place) whole() bool { return p.Qualified == "" }

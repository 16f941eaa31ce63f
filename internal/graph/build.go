package graph

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Options say how [Build] works.
type Options struct {
	// Parser opens what parses. It is asked only when a file has to be parsed, once. It must be set.
	Parser func() (*syntax.Parser, error)
	// Tree gives a file's tree where it is at hand already, nil where not. Defaults to none.
	Tree func(path string) *syntax.Tree
	// CacheDir keeps what was read of each content. Defaults to none.
	CacheDir string
	// CacheBytes is the size that CacheDir is kept under. Defaults to 512 MiB.
	CacheBytes int64
	// MaxBytes is the size above which a file is left out. Defaults to 1 MiB.
	MaxBytes int
	// Observe is told of each file that was read, from several goroutines at once. Defaults to nobody.
	Observe func(Progress)
}

// Progress is how far Build has come.
type Progress struct {
	Done, Files int  // of those in a language that is parsed
	Cached      bool // the file at hand came from the cache
}

// Build reads the graph of a codebase. What cannot be parsed is listed in Graph.Unparsed; the only errors are ctx's and the
// parser's, where it does not open.
func Build(ctx context.Context, code *codebase.Codebase, o Options) (*Graph, error) {
	if o.MaxBytes <= 0 {
		o.MaxBytes = 1 << 20
	}
	g := &Graph{code: code, byPath: map[string]int32{}}
	for _, p := range code.Paths() {
		info, _ := code.File(p)
		switch {
		case !parsable(p, info.Language):
		case info.Bytes > o.MaxBytes:
			g.Unparsed = append(g.Unparsed, Unparsed{p, fmt.Sprintf("it has %d bytes, more than %d", info.Bytes, o.MaxBytes)})
		default:
			g.files = append(g.files, file{path: p, family: language.Family(info.Language), test: codebase.IsTest(p)})
		}
	}
	if err := g.read(ctx, o); err != nil {
		return nil, err
	}
	for i := range g.files {
		g.byPath[g.files[i].path] = int32(i)
	}
	g.link()
	if err := g.resolveAll(ctx); err != nil {
		return nil, err
	}
	return g, nil
}

// parsable reports a file in a language with a grammar: by its name, or where that says nothing, by its text.
func parsable(path, name string) bool {
	parsed := language.Parsed(path)
	return language.Parses(name) && grammarOf(name) != nil && (parsed == name || parsed == "")
}

// read gets the facts of all files, and drops those files that have none.
func (g *Graph) read(ctx context.Context, o Options) error {
	cache := openCache(o)
	parser := sync.OnceValues(o.Parser)
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next, done atomic.Int32
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(g.files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				cached, err := g.readFile(ctx, &g.files[i], cache, parser, o)
				if err != nil {
					cancel(err)
					return
				}
				if n := int(done.Add(1)); o.Observe != nil {
					o.Observe(Progress{n, len(g.files), cached})
				}
			}
		})
	}
	wg.Wait()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	g.files = slices.DeleteFunc(g.files, func(f file) bool {
		if f.facts.Why != "" {
			g.Unparsed = append(g.Unparsed, Unparsed{f.path, f.facts.Why})
		}
		return f.facts.Why != ""
	})
	slices.SortFunc(g.Unparsed, func(a, b Unparsed) int { return strings.Compare(a.File, b.File) })
	return nil
}

// readFile gets a file's facts from the cache or its text.
func (g *Graph) readFile(ctx context.Context, f *file, cache *cache, parser func() (*syntax.Parser, error), o Options) (
	cached bool, err error,
) {
	info, _ := g.code.File(f.path)
	if f.facts = cache.get(info.Language, info.Hash, info.Lines); f.facts != nil {
		return true, nil
	}
	if o.Tree != nil {
		if tree := o.Tree(f.path); tree != nil {
			f.facts = collect(info.Language, tree)
			cache.put(info.Language, info.Hash, f.facts)
			return false, nil
		}
	}
	p, err := parser()
	if err != nil {
		return false, fmt.Errorf("code graph: %w", err)
	}
	text, _ := g.code.Text(f.path)
	tree, err := p.Parse(ctx, info.Language, []byte(text))
	switch {
	case ctx.Err() != nil:
		return false, ctx.Err()
	case errors.Is(err, syntax.ErrClosed):
		return false, fmt.Errorf("code graph: %w", err)
	case err != nil:
		f.facts = &facts{Why: cut(err.Error())}
		if !errors.Is(err, syntax.ErrTooLarge) { // a busy machine may have been the reason
			return false, nil
		}
	default:
		f.facts = collect(info.Language, tree)
	}
	cache.put(info.Language, info.Hash, f.facts)
	return false, nil
}

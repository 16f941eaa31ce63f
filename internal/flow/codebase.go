package flow

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow/ir"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// maxCode bounds the code that is followed as a whole: the trees of all files are held at once.
const maxCode = 16 << 20

// ErrTooMuch says that a codebase has more code than is followed as a whole.
var ErrTooMuch = fmt.Errorf("more than %d MB of code: values are only followed within files that are read together", maxCode>>20)

// Codebase follows the values of all files that the graph knows. The errors are ctx's, the parser's where it does not open, and
// ErrTooMuch.
func Codebase(ctx context.Context, code *codebase.Codebase, g *graph.Graph, parser *syntax.Parser) (*Result, error) {
	files, size := filesToFollow(code, g.Knows)
	if size > maxCode {
		return nil, ErrTooMuch
	}
	var next atomic.Int32
	var wg sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(files) && ctx.Err() == nil; i = int(next.Add(1)) - 1 {
				text, _ := code.Text(files[i].Path)
				if !strings.HasSuffix(text, "\n") { // as prompts show it, so that both have one tree
					text += "\n"
				}
				// What does not parse is followed no further.
				files[i].Tree, _ = parser.Parse(ctx, files[i].Language, []byte(text))
			}
		})
	}
	wg.Wait()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	parsed := files[:0]
	for _, f := range files {
		if f.Tree != nil {
			parsed = append(parsed, f)
		}
	}
	return Analyze(ctx, g, parsed)
}

// filesToFollow are the files whose values are followed, and how many bytes of code they are with the tests, which are not: in more code
// more paths are put together from names that are alike.
func filesToFollow(code *codebase.Codebase, known func(path string) bool) (files []Source, size int) {
	for _, p := range code.Paths() {
		info, _ := code.File(p)
		if !ir.Reads(info.Language) || !known(p) {
			continue
		}
		size += info.Bytes
		if Reads(p, info.Language) {
			files = append(files, Source{Path: p, Language: info.Language})
		}
	}
	return files, size
}

// Lazily gives what flows through a codebase, which is found out when somebody first asks and then kept, for as long as somebody holds
// the function that it gives. It tells m, which may be nil. A failure is not kept.
func Lazily(code *codebase.Codebase, g func(context.Context) (*graph.Graph, error), parser func() (*syntax.Parser, error), m *Memory) func(
	context.Context) ([]Hit, error) {
	var mu sync.Mutex
	var known *Result
	return func(ctx context.Context) ([]Hit, error) {
		mu.Lock()
		defer mu.Unlock()
		if known != nil {
			return known.Hits, nil
		}
		built, err := g(ctx)
		if err != nil {
			return nil, err
		}
		p, err := parser()
		if err != nil {
			return nil, fmt.Errorf("flows: %w", err)
		}
		found, err := Codebase(ctx, code, built, p)
		if err != nil {
			return nil, err
		}
		m.keep(found)
		known = found
		return known.Hits, nil
	}
}

// Files are those that a hit's path goes through, each once, the harm's first.
func (h Hit) Files() []string {
	files := []string{h.File}
	for _, s := range h.Path {
		known := false
		for _, f := range files {
			known = known || f == s.File
		}
		if !known {
			files = append(files, s.File)
		}
	}
	return files
}

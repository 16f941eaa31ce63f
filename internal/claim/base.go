package claim

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/pattern"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Base is a codebase with its code graph, and with what the syntax trees of single files say beyond it. It is safe for
// concurrent use.
type Base struct {
	code   *codebase.Codebase
	parser func() (*syntax.Parser, error)

	build func(context.Context) (*graph.Graph, error)

	mu    sync.Mutex
	files map[string]*file
}

// NewBase looks at nothing yet. The parser may be nil, or fail: then what needs syntax trees is not checkable. build gives
// the codebase's code graph; nil is one of the base's own.
func NewBase(code *codebase.Codebase, parser func() (*syntax.Parser, error), build func(context.Context) (*graph.Graph, error)) *Base {
	switch {
	case parser == nil:
		build = graph.Lazily(codebase.FromMap(nil), graph.Options{})
	case build == nil:
		build = graph.Lazily(code, graph.Options{Parser: parser})
	}
	return &Base{code: code, parser: parser, build: build, files: map[string]*file{}}
}

// Graph is the codebase's code graph, built once. It is empty where none can be built.
func (b *Base) Graph(ctx context.Context) *graph.Graph {
	g, err := b.build(ctx)
	if err != nil {
		g, _ = graph.Build(context.WithoutCancel(ctx), codebase.FromMap(nil), graph.Options{})
	}
	return g
}

// Definitions finds where functions, classes and types of that name are defined in files of a language's family, in the
// order of their paths. Those that only the code around them can see are left out.
func (b *Base) Definitions(ctx context.Context, language, name string) []*graph.Symbol {
	g := b.Graph(ctx)
	var all []*graph.Symbol
	for _, s := range g.Definition(name) {
		if info, _ := b.code.File(s.File); s.Name == name && !value(s) && akin(info.Language, language) && !b.inside(ctx, s) {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(x, y *graph.Symbol) int { return strings.Compare(x.File, y.File) })
	return all
}

// value reports a symbol that holds no code of its own: a variable or a constant.
func value(s *graph.Symbol) bool { return s.Kind == graph.KindVariable || s.Kind == graph.KindConstant }

// inside reports a symbol that stands in a function: no other code can see it.
func (b *Base) inside(ctx context.Context, s *graph.Symbol) bool {
	return slices.ContainsFunc(b.Graph(ctx).Symbols(s.File), func(o *graph.Symbol) bool {
		return o != s && called(o) && o.Line <= s.Line && s.EndLine <= o.EndLine && strings.HasPrefix(s.Qualified, o.Qualified+".")
	})
}

// called reports a symbol that a call enters.
func called(s *graph.Symbol) bool { return s.Kind == graph.KindFunction || s.Kind == graph.KindMethod }

// defined are a file's functions, classes and types of a name.
func (b *Base) defined(ctx context.Context, path, name string) []*graph.Symbol {
	return slices.DeleteFunc(b.Graph(ctx).Symbols(path), func(s *graph.Symbol) bool { return s.Name != name || value(s) })
}

// OnlyComment reports that lines from to end of a file hold nothing that runs: comments, strings that stand alone, and
// blank lines. Such lines are a statement by the file's author, and no proof.
func (b *Base) OnlyComment(ctx context.Context, path string, line, end int) bool {
	silent := b.Silent(ctx, path)
	if len(silent) == 0 {
		return false
	}
	for n := max(line, 1); n <= min(end, len(silent)); n++ {
		if !silent[n-1] {
			return false
		}
	}
	return true
}

// Silent says of each line of a file whether it holds nothing that runs. It is nil for what is no file.
func (b *Base) Silent(ctx context.Context, path string) []bool {
	text, ok := b.code.Text(path)
	if !ok {
		return nil
	}
	f := b.file(ctx, path)
	var silent []bool
	start := 0
	for line := range strings.Lines(text) {
		silent = append(silent, commentLine(f, text, start, start+len(line)))
		start += len(line)
	}
	return silent
}

var commentMark = pattern.New(`^(?:#|//|/\*|\*|<!--|--|;|%|"""|''')`)

// commentLine judges one line of a text.
func commentLine(f *file, text string, start, end int) bool {
	line := strings.TrimSpace(text[start:end])
	if line == "" {
		return true
	}
	if f == nil || f.broken {
		return commentMark.MatchString(line)
	}
	from := start + strings.Index(text[start:end], line)
	rest := from + len(line)
	for _, c := range f.comments {
		if c[0] <= from && from < c[1] {
			from = c[1]
		}
	}
	return from >= rest
}

package rules

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/graph"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules/c"
	"github.com/deeprepo/deeprepo/internal/rules/config"
	"github.com/deeprepo/deeprepo/internal/rules/cpp"
	"github.com/deeprepo/deeprepo/internal/rules/csharp"
	"github.com/deeprepo/deeprepo/internal/rules/golang"
	"github.com/deeprepo/deeprepo/internal/rules/java"
	"github.com/deeprepo/deeprepo/internal/rules/javascript"
	"github.com/deeprepo/deeprepo/internal/rules/kotlin"
	"github.com/deeprepo/deeprepo/internal/rules/php"
	"github.com/deeprepo/deeprepo/internal/rules/python"
	"github.com/deeprepo/deeprepo/internal/rules/ruby"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/rules/rust"
	"github.com/deeprepo/deeprepo/internal/rules/shell"
	"github.com/deeprepo/deeprepo/internal/rules/template"
	"github.com/deeprepo/deeprepo/internal/rules/untrusted"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// All gives every rule of every language.
func All() []rule.Rule {
	return slices.Concat(
		python.Rules(), javascript.Rules(), golang.Rules(), java.Rules(), php.Rules(), ruby.Rules(), c.Rules(),
		cpp.Rules(), csharp.Rules(), rust.Rules(), kotlin.Rules(), shell.Rules(), template.Rules(), config.Rules(),
		untrusted.Rules(),
	)
}

// Unknown is the error for a rule that does not exist, with the one that may have been meant.
func Unknown(id string) error {
	var known []string
	for _, r := range All() {
		known = append(known, r.ID)
	}
	advice := "deeprepo rules list shows them"
	if near := suggest.Nearest(id, known); near != "" {
		advice = fmt.Sprintf("did you mean %s? %s", near, advice)
	}
	return hint.Wrap(fmt.Errorf("there is no rule %q", id), advice)
}

// maxPerRule bounds what one rule may say of one file: more of the same tells nothing, and generated or hostile text
// could fill a report with it.
const maxPerRule = 20

// Set is a number of rules, sorted by language. It is immutable and safe for concurrent use.
type Set struct {
	parser *syntax.Parser
	known  *flow.Memory
	by     map[string][]*rule.Rule
	count  int
}

// NewSet holds rules ready. The parser stays the caller's to close.
func NewSet(parser *syntax.Parser, rules []rule.Rule) *Set {
	s := &Set{parser: parser, by: map[string][]*rule.Rule{}, count: len(rules)}
	for i := range rules {
		r := &rules[i]
		for _, l := range r.Languages {
			s.by[l] = append(s.by[l], r)
		}
	}
	return s
}

// Knowing gives the same rules, which ask m where values go before they find it out.
func (s *Set) Knowing(m *flow.Memory) *Set {
	knowing := *s
	knowing.known = m
	return &knowing
}

// Len is the number of rules.
func (s *Set) Len() int { return s.count }

// Languages lists the languages that some rule reads, sorted.
func (s *Set) Languages() []string {
	var all []string
	for l := range s.by {
		all = append(all, l)
	}
	slices.Sort(all)
	return all
}

// Reads tells whether some rule reads a language, or the scripts in it.
func (s *Set) Reads(language string) bool {
	return len(s.by[language]) > 0 || len(s.by["javascript"]) > 0 && template.HasScripts(language)
}

// Check runs the rules of language over src, the text of the file at path, and gives the matches sorted by line. A
// language without rules gives none. The error joins one error for each rule that failed, with the matches of the
// others still given; it is the parser's or ctx's own when nothing could be checked.
func (s *Set) Check(ctx context.Context, path, language string, src []byte) ([]rule.Match, error) {
	r, err := s.read(ctx, path, language, src)
	return r.matches, errors.Join(append(r.failed, err)...)
}

// reading is what one pass over a file tells.
type reading struct {
	matches []rule.Match
	more    int // matches over the bound, dropped
	failed  []error
	outline outline
	broken  bool // the syntax tree has errors
}

func (s *Set) read(ctx context.Context, path, language string, src []byte) (reading, error) {
	one := s.readAll(ctx, []text{{path, language, src}})[0]
	return one.reading, one.err
}

// text is a file's text, in the language that it is read as.
type text struct {
	path, language string
	src            []byte
}

// outcome is what came of reading one text.
type outcome struct {
	reading
	err error
}

// readAll runs the rules over texts that belong together: untrusted values are followed from one to the other.
func (s *Set) readAll(ctx context.Context, texts []text) []outcome {
	out := make([]outcome, len(texts))
	files := make([]*rule.File, len(texts))
	each(len(texts), func(i int) {
		t := texts[i]
		if !s.Reads(t.language) {
			return
		}
		if files[i], out[i].err = s.file(ctx, t.path, t.language, t.src); out[i].err != nil {
			out[i].err = fmt.Errorf("%s: %w", t.path, out[i].err)
			files[i] = nil
		}
	})
	if err := s.follow(ctx, files); err != nil {
		for i := range out {
			out[i].err = errors.Join(out[i].err, err)
		}
		return out
	}
	each(len(texts), func(i int) {
		if files[i] != nil {
			out[i].reading, out[i].err = s.judge(ctx, files[i], texts[i])
		}
	})
	return out
}

// each does something for each of n, on all processors.
func each(n int, do func(i int)) {
	var next atomic.Int32
	var wg sync.WaitGroup
	for range min(n, runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// judge runs rules over a file.
func (s *Set) judge(ctx context.Context, file *rule.File, t text) (reading, error) {
	out := reading{}
	if file.Tree != nil {
		out.outline, out.broken = outlineOf(file.Language, file.Tree), file.Tree.HasError()
	}
	if err := file.Failed(); err != nil {
		out.failed = append(out.failed, err)
	}
	if err := out.run(ctx, file, s.by[t.language]); err != nil {
		return out, err
	}
	if err := s.scripts(ctx, &out, t); err != nil {
		return out, err
	}
	slices.SortStableFunc(out.matches, func(a, b rule.Match) int {
		if a.Line != b.Line {
			return a.Line - b.Line
		}
		return a.EndLine - b.EndLine
	})
	return out, nil
}

// follow tells the files which untrusted values reach them.
func (s *Set) follow(ctx context.Context, files []*rule.File) error {
	byPath, sources := map[string]*rule.File{}, []flow.Source{}
	for _, f := range files {
		if f == nil || f.Tree == nil || byPath[f.Path] != nil || !flow.Reads(f.Path, f.Language) {
			continue
		}
		byPath[f.Path] = f
		sources = append(sources, flow.Source{Path: f.Path, Language: f.Language, Tree: f.Tree})
	}
	known, sources := s.known.Of(sources)
	for _, f := range byPath {
		f.Follow(known)
	}
	if len(sources) == 0 {
		return nil
	}
	code := map[string]string{}
	for _, f := range sources {
		code[f.Path] = string(f.Tree.Source())
	}
	g, err := graph.Build(ctx, codebase.FromMap(code), graph.Options{
		Parser: func() (*syntax.Parser, error) { return s.parser, nil },
		Tree:   func(path string) *syntax.Tree { return byPath[path].Tree },
	})
	if err != nil {
		return err
	}
	flows, err := flow.Analyze(ctx, g, sources)
	if err != nil {
		return err
	}
	for _, f := range sources {
		byPath[f.Path].Follow(flows)
	}
	return nil
}

// file holds a text ready for rules: parsed, where its language has a grammar.
func (s *Set) file(ctx context.Context, path, spoken string, src []byte) (*rule.File, error) {
	if !language.Parses(spoken) {
		return rule.NewFile(path, spoken, src, nil), nil
	}
	tree, err := s.parser.Parse(ctx, spoken, src)
	if err != nil {
		return nil, err
	}
	return rule.NewFile(path, spoken, src, tree), nil
}

// run takes in what rules find in a file.
func (r *reading) run(ctx context.Context, file *rule.File, rules []*rule.Rule) error {
	for _, one := range rules {
		if err := ctx.Err(); err != nil {
			return err
		}
		found, err := file.Run(one)
		if err != nil {
			r.failed = append(r.failed, err)
		}
		if len(found) > maxPerRule {
			r.more += len(found) - maxPerRule
			found = found[:maxPerRule]
		}
		r.matches = append(r.matches, found...)
	}
	return nil
}

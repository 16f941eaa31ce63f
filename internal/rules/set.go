package rules

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules/c"
	"github.com/deeprepo/deeprepo/internal/rules/golang"
	"github.com/deeprepo/deeprepo/internal/rules/java"
	"github.com/deeprepo/deeprepo/internal/rules/javascript"
	"github.com/deeprepo/deeprepo/internal/rules/php"
	"github.com/deeprepo/deeprepo/internal/rules/python"
	"github.com/deeprepo/deeprepo/internal/rules/ruby"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/rules/template"
	"github.com/deeprepo/deeprepo/internal/suggest"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// All gives every rule of every language.
func All() []rule.Rule {
	return slices.Concat(
		python.Rules(), javascript.Rules(), golang.Rules(), java.Rules(), php.Rules(), ruby.Rules(), c.Rules(), template.Rules(),
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
	rules := s.by[language]
	if !s.Reads(language) {
		return reading{}, nil
	}
	file, err := s.file(ctx, path, language, src)
	if err != nil {
		return reading{}, fmt.Errorf("%s: %w", path, err)
	}
	out := reading{}
	if file.Tree != nil {
		out.outline, out.broken = outlineOf(language, file.Tree), file.Tree.HasError()
	}
	if err := out.run(ctx, file, rules); err != nil {
		return out, err
	}
	if err := s.scripts(ctx, &out, path, language, src); err != nil {
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

// file holds a text ready for rules: parsed, where its language has a grammar.
func (s *Set) file(ctx context.Context, path, spoken string, src []byte) (*rule.File, error) {
	if !slices.Contains(language.Grammars(), spoken) {
		return rule.NewFile(path, spoken, src, nil), nil
	}
	tree, err := s.parser.Parse(ctx, spoken, src)
	if err != nil {
		return nil, err
	}
	return rule.NewFile(path, spoken, src, tree), nil
}

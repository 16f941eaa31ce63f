package rules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/language"
	"github.com/deeprepo/deeprepo/internal/rules/rule"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// Fault is a sample that is not as its rule says.
type Fault struct {
	Rule   string `json:"rule"`
	Sample string `json:"sample"` // "bad 1", the first of the bad ones
	Why    string `json:"why"`
}

// Try runs a rule over its own samples: each must parse, a bad one must match, a good one must not, and a match must quote its
// lines. The error is the parser's or ctx's.
func Try(ctx context.Context, parser *syntax.Parser, r *rule.Rule) ([]Fault, error) {
	var faults []Fault
	for _, of := range []struct {
		kind    string
		samples []rule.Sample
	}{{"bad", r.Bad}, {"good", r.Good}} {
		for i, s := range of.samples {
			why, err := tried(ctx, parser, r, s, of.kind == "bad")
			if err != nil {
				return faults, fmt.Errorf("%s, %s %d: %w", r.ID, of.kind, i+1, err)
			}
			for _, w := range why {
				faults = append(faults, Fault{r.ID, fmt.Sprintf("%s %d", of.kind, i+1), w})
			}
		}
	}
	return faults, nil
}

// tried is what is wrong with one sample.
func tried(ctx context.Context, parser *syntax.Parser, r *rule.Rule, s rule.Sample, bad bool) (why []string, err error) {
	path, spoken := s.Path, r.Languages[0]
	if path == "" {
		path = "src/app." + language.Extension(spoken)
	}
	if l := language.Read(path); l != "" && slices.Contains(r.Languages, l) {
		spoken = l
	}
	got, err := NewSet(parser, []rule.Rule{*r}).read(ctx, path, spoken, []byte(s.Source))
	if err != nil {
		return nil, err
	}
	if got.broken {
		why = append(why, "it does not parse as "+spoken)
	}
	for _, err := range got.failed {
		why = append(why, err.Error())
	}
	matches := got.matches
	if bad && len(matches) == 0 {
		why = append(why, "nothing matches")
	}
	lines := strings.Split(s.Source, "\n")
	for _, m := range matches {
		if !bad {
			why = append(why, fmt.Sprintf("line %d matches: %s", m.Line, m.Evidence))
		}
		if m.Line < 1 || m.EndLine < m.Line || m.EndLine > len(lines) {
			why = append(why, fmt.Sprintf("the match is at lines %d-%d of %d", m.Line, m.EndLine, len(lines)))
		} else if m.Evidence == "" || !strings.Contains(strings.Join(lines[m.Line-1:m.EndLine], "\n"), m.Evidence) {
			why = append(why, fmt.Sprintf("%q does not stand at lines %d-%d", m.Evidence, m.Line, m.EndLine))
		}
	}
	return why, nil
}

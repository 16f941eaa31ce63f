package report

import (
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/deeprepo/deeprepo/internal/finding"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/rules"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/termtext"
)

// BySkip is runfile.Suppressed.By of a finding whose rule is switched off.
const BySkip = "skip_rules"

// SkippedRules are the static rules that a user switched off, everywhere or in some files. The zero value holds none.
type SkippedRules struct{ skips []skip }

type skip struct {
	said       string
	rule, path *regexp.Regexp
}

// ParseSkippedRules reads what is switched off. Each text is RULE, or RULE:PATH, and both are as [PathPattern] reads them:
// "python/weak-random", "go/*:internal/legacy/**", "off-by-one:vendor/" (of every language). One that names no rule is an error.
func ParseSkippedRules(texts []string) (SkippedRules, error) {
	var s SkippedRules
	for _, text := range texts {
		one, err := parseSkip(text)
		if err != nil {
			return SkippedRules{}, fmt.Errorf("%q: %w", termtext.Inline(clip(text, 120)), err)
		}
		s.skips = append(s.skips, one)
	}
	return s, nil
}

func parseSkip(text string) (skip, error) {
	id, glob, placed := strings.Cut(text, ":")
	id, glob = strings.TrimSpace(id), strings.TrimSpace(glob)
	switch {
	case !utf8.ValidString(text):
		return skip{}, errors.New("it is not UTF-8")
	case len(text) > maxPattern:
		return skip{}, errors.New("it is too long")
	case id == "":
		return skip{}, hint.Wrap(errors.New("the rule is missing"), "RULE or RULE:PATH, as go/*:internal/legacy/**")
	case placed && glob == "":
		return skip{}, hint.Wrap(errors.New("the path pattern is missing"), id+" alone switches the rule off everywhere")
	case !placed:
		glob = "**"
	}
	one := skip{said: termtext.Inline(text), rule: PathPattern(id), path: PathPattern(glob)}
	for known := range knownRules() {
		if one.rule.MatchString(known) {
			return one, nil
		}
	}
	return skip{}, rules.Unknown(id)
}

// Apply parts findings into those to report and those of rules that are switched off where they were found.
func (s SkippedRules) Apply(fs []finding.Finding) (kept []finding.Finding, off []runfile.Suppressed) {
	for _, f := range fs {
		i := slices.IndexFunc(s.skips, func(one skip) bool {
			return f.Rule != "" && one.rule.MatchString(f.Rule) && one.path.MatchString(path.Clean(f.File))
		})
		if i < 0 {
			kept = append(kept, f)
			continue
		}
		off = append(off, runfile.Suppressed{Finding: f, By: BySkip, Reason: s.skips[i].said})
	}
	return kept, off
}

// asideWords count suppressed findings, those of rules that are switched off by themselves.
func asideWords(all []runfile.Suppressed) (words []string) {
	off := 0
	for _, s := range all {
		if s.By == BySkip {
			off++
		}
	}
	if n := len(all) - off; n > 0 {
		words = append(words, count(n)+" suppressed")
	}
	if off > 0 {
		words = append(words, count(off)+" of rules that are switched off")
	}
	return words
}

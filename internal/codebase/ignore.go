package codebase

import (
	"strings"
)

// ignoreRule is one line of an ignore file, parsed as git's dir.c does.
type ignoreRule struct {
	pattern  string // without "!" and trailing "/"
	literal  int    // bytes of pattern before its first special one
	negative bool
	dirOnly  bool
	baseName bool // no slash in it: compared with the last path element only
	byUser   bool // the user gave it, not a file of the codebase
}

// parseIgnore reads the text of an ignore file.
func parseIgnore(text string) []ignoreRule {
	var rules []ignoreRule
	text = strings.TrimPrefix(text, "\uFEFF")
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSuffix(line, "\r")
		line, _, _ = strings.Cut(line, "\x00")
		if line == "" || line[0] == '#' {
			continue
		}
		if r, ok := parseIgnoreRule(trimIgnoreSpaces(line)); ok {
			rules = append(rules, r)
		}
	}
	return rules
}

// trimIgnoreSpaces drops trailing spaces that no backslash keeps.
func trimIgnoreSpaces(line string) string {
	last := -1
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case ' ':
			if last < 0 {
				last = i
			}
		case '\\':
			if i++; i >= len(line) {
				return line
			}
			last = -1
		default:
			last = -1
		}
	}
	if last >= 0 {
		return line[:last]
	}
	return line
}

func parseIgnoreRule(line string) (ignoreRule, bool) {
	var r ignoreRule
	r.pattern, r.negative = strings.CutPrefix(line, "!")
	r.pattern, r.dirOnly = strings.CutSuffix(r.pattern, "/")
	r.baseName = !strings.Contains(r.pattern, "/")
	r.literal = strings.IndexAny(r.pattern, `*?[\`)
	if r.literal < 0 {
		r.literal = len(r.pattern)
	}
	return r, r.pattern != ""
}

// matches takes a path relative to the directory of the ignore file. It gives the steps that took, too.
func (r *ignoreRule) matches(rel string, dir bool) (matched bool, steps int) {
	if r.dirOnly && !dir {
		return false, 1
	}
	if r.baseName {
		base := rel[strings.LastIndexByte(rel, '/')+1:]
		if r.literal == len(r.pattern) {
			return base == r.pattern, 1
		}
		return wildmatch(r.pattern, base, false)
	}
	pattern, literal := r.pattern, r.literal
	if pattern[0] == '/' {
		pattern, literal = pattern[1:], literal-1
	}
	// git compares the literal start first and gives wildmatch only the rest,
	// which is why "foo**/bar" matches "foo/x/bar" too.
	if literal > 0 {
		if !strings.HasPrefix(rel, pattern[:literal]) {
			return false, 1
		}
		pattern, rel = pattern[literal:], rel[literal:]
		if pattern == "" && rel == "" {
			return true, 1
		}
	}
	return wildmatch(pattern, rel, true)
}

// ignoreSteps is the work that the patterns of a codebase may cause: some seconds, a thousand times what a large repository
// needs.
const ignoreSteps = 2_000_000_000

// effort is what is left of the work that the patterns of a codebase may cause.
type effort struct{ left int64 }

func newEffort() *effort { return &effort{ignoreSteps} }

func (e *effort) spent() bool { return e.left <= 0 }

// ignoreList is the rules of one ignore file and where they stand.
type ignoreList struct {
	base  string // directory of the file with a trailing slash; "" is the root
	rules []ignoreRule
	// effort is drawn on by rules that are not the user's; when it is spent they match nothing more. Nil is no limit.
	effort *effort
}

// prepend adds the rules of a codebase's file, over which those that are there decide.
func (l *ignoreList) prepend(rules []ignoreRule) { l.rules = append(rules, l.rules...) }

type verdict uint8

const (
	undecided verdict = iota
	ignored
	kept
)

// decide gives the verdict of the last rule that matches. p is relative to the
// root and lies below the list's base.
func (l *ignoreList) decide(p string, dir bool) verdict {
	v, _ := l.decision(p, dir)
	return v
}

// decision is the verdict with the rule that made it, nil for undecided.
func (l *ignoreList) decision(p string, dir bool) (verdict, *ignoreRule) {
	rel := p[len(l.base):]
	for i := len(l.rules) - 1; i >= 0; i-- {
		r := &l.rules[i]
		bound := l.effort != nil && !r.byUser
		if bound && l.effort.spent() {
			continue
		}
		matched, steps := r.matches(rel, dir)
		if bound {
			l.effort.left -= int64(steps)
		}
		if !matched {
			continue
		}
		if r.negative {
			return kept, r
		}
		return ignored, r
	}
	return undecided, nil
}

// ignoreStack is the lists in force in a directory, outermost first.
type ignoreStack []*ignoreList

// ignores says whether p is to be left out, its parent being kept: the innermost
// list that decides wins.
func (s ignoreStack) ignores(p string, dir bool) bool {
	for i := len(s) - 1; i >= 0; i-- {
		if v := s[i].decide(p, dir); v != undecided {
			return v == ignored
		}
	}
	return false
}

// excludedBy applies the rules of one list at the root to p and to each
// directory above it, from the top. It gives the path that a rule named (with a
// trailing slash for a directory), or "", and whether the rule is the user's.
func (l *ignoreList) excludedBy(p string) (path string, byUser bool) {
	if len(l.rules) == 0 {
		return "", false
	}
	for i := 0; i < len(p); i++ {
		if p[i] != '/' {
			continue
		}
		if v, r := l.decision(p[:i], true); v == ignored {
			return p[:i+1], r.byUser
		}
	}
	if v, r := l.decision(p, false); v == ignored {
		return p, r.byUser
	}
	return "", false
}

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

// matches takes a path relative to the directory of the ignore file.
func (r *ignoreRule) matches(rel string, dir bool) bool {
	if r.dirOnly && !dir {
		return false
	}
	if r.baseName {
		base := rel[strings.LastIndexByte(rel, '/')+1:]
		if r.literal == len(r.pattern) {
			return base == r.pattern
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
			return false
		}
		pattern, rel = pattern[literal:], rel[literal:]
		if pattern == "" && rel == "" {
			return true
		}
	}
	return wildmatch(pattern, rel, true)
}

// ignoreList is the rules of one ignore file and where they stand.
type ignoreList struct {
	base  string // directory of the file with a trailing slash; "" is the root
	rules []ignoreRule
}

type verdict uint8

const (
	undecided verdict = iota
	ignored
	kept
)

// decide gives the verdict of the last rule that matches. p is relative to the
// root and lies below the list's base.
func (l *ignoreList) decide(p string, dir bool) verdict {
	rel := p[len(l.base):]
	for i := len(l.rules) - 1; i >= 0; i-- {
		if !l.rules[i].matches(rel, dir) {
			continue
		}
		if l.rules[i].negative {
			return kept
		}
		return ignored
	}
	return undecided
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
// trailing slash for a directory), or "".
func (l *ignoreList) excludedBy(p string) string {
	if len(l.rules) == 0 {
		return ""
	}
	for i := 0; i < len(p); i++ {
		if p[i] == '/' && l.decide(p[:i], true) == ignored {
			return p[:i+1]
		}
	}
	if l.decide(p, false) == ignored {
		return p
	}
	return ""
}

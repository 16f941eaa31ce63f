package codebase

import (
	"os"
	"path"
	"strings"
)

// hidden is a file that the codebase's own ignore files keep from a review. Its lines are counted.
type hidden struct{ path, why string }

// Bounds of what is said of ignored files: a build directory must neither cost minutes nor fill a report.
const (
	maxIgnored = 1000 // entries
	maxLooked  = 5000 // files and directories that are looked at inside ignored directories, together
)

// ignored notes what git ignores and does not track, which is not part of the codebase: source files by name and directories
// as a whole, neither of them counted.
func (l *loader) ignored(paths []string) {
	for _, p := range paths {
		if l.noted >= maxIgnored {
			l.warn("git ignores more than %d files and directories: the others are not listed", maxIgnored)
			return
		}
		if l.ignoredMatters(p) {
			l.noted++
			l.note(Skip{Path: p, Why: whyIgnored, Source: !strings.HasSuffix(p, "/") && isSource(p, ""), By: ByCodebase,
				Bytes: Unknown, Lines: Unknown})
		}
	}
}

// ignoredOutsideGit notes what a .gitignore keeps from the own walk. Outside a git repository nothing but that file says that
// it is not part of the codebase: source code counts as hidden, also in directories, as far as they are looked into.
func (l *loader) ignoredOutsideGit(root *os.Root, p string) {
	if !l.ignoredMatters(p) {
		return
	}
	if !strings.HasSuffix(p, "/") {
		l.hidden = append(l.hidden, hidden{p, whyIgnored})
		return
	}
	why := whyIgnored
	if !l.lookInto(root, p) {
		why += ": too much to look at"
	}
	l.note(Skip{Path: p, Why: why, By: ByCodebase, Bytes: Unknown, Lines: Unknown})
}

// lookInto notes the source files in an ignored directory, and says whether it has seen them all.
func (l *loader) lookInto(root *os.Root, dir string) bool {
	entries, err := readDir(root, dir)
	if err != nil {
		return false
	}
	for _, e := range entries {
		if l.looked++; l.looked > maxLooked || l.ctx.Err() != nil {
			return false
		}
		switch p := dir + e.Name(); {
		case e.IsDir() && l.ignoredMatters(p+"/"):
			if !l.lookInto(root, p+"/") {
				return false
			}
		case e.Type().IsRegular() && l.ignoredMatters(p):
			l.hidden = append(l.hidden, hidden{p, whyIgnored})
		}
	}
	return true
}

// ignoredMatters says whether an ignored path is worth a word: a directory, or a file of source code, that nothing else leaves
// out.
func (l *loader) ignoredMatters(p string) bool {
	clean := strings.TrimSuffix(p, "/")
	if inVCS(clean) || vendoredDir(clean+"/") != "" {
		return false
	}
	if by, _ := l.exclude.excludedBy(clean); by != "" {
		return false
	}
	if len(l.o.Include) > 0 {
		if by, _ := l.include.excludedBy(clean); by == "" {
			return false
		}
	}
	return p != clean || skipByName(p) == "" && (path.Ext(p) == "" || isSource(p, ""))
}

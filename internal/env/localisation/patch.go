package localisation

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
)

// FileChange is what a patch does to one file.
type FileChange struct {
	// Old and New are its paths before and after, "" where it does not exist. They differ for a file that is moved.
	Old, New string

	hunks []hunk
}

// hunk is a piece of a patch: lines that stand together.
type hunk struct {
	from  int      // the first of old, 1-based, in the text that the patch was made of
	old   []string // the unchanged lines and those that go
	edits []edit
}

// edit is a run of changed lines without an unchanged one between.
type edit struct {
	at   int      // the first old line that goes; where none goes, the one that the new lines follow, 0 for none
	gone []string // the old lines
	come []string // the new ones
}

// maxShift is how many lines off a hunk is looked for. Published patches were not all made of the commit that they name.
const maxShift = 2000

// place finds a patch's edits in a file's text, given without line ends: lines[i] is line i+1. A hunk may stand some lines off, as
// for the program patch. It is false where the patch is of another text.
func (c FileChange) place(lines []string) (edits []edit, ok bool) {
	done, shift := 0, 0
	for _, h := range c.hunks {
		fits := func(shift int) bool {
			from := h.from - 1 + shift
			return from >= done && from+len(h.old) <= len(lines) && slices.Equal(lines[from:from+len(h.old)], h.old)
		}
		off := 0
		for off <= maxShift && !fits(shift+off) && !fits(shift-off) {
			if off++; len(h.old) == 0 || off > len(lines)+done {
				return nil, false
			}
		}
		if off > maxShift {
			return nil, false
		}
		if shift += off; !fits(shift) {
			shift -= 2 * off
		}
		for _, e := range h.edits {
			e.at += shift
			edits = append(edits, e)
		}
		done = h.from - 1 + shift + len(h.old)
	}
	return edits, true
}

// apply makes a file's new text of its old one and the edits in it.
func apply(lines []string, edits []edit) (after []string) {
	done := 0
	for _, e := range edits {
		from := e.at
		if len(e.gone) > 0 {
			from--
		}
		after = append(append(after, lines[done:from]...), e.come...)
		done = from + len(e.gone)
	}
	return append(after, lines[done:]...)
}

// maxPatch bounds a patch, in bytes.
const maxPatch = 16 << 20

// ParsePatch reads a unified diff, git's extensions included. Text before and between the files, as mails have it, is
// skipped. A hunk that ends too early, or a path that leads out of the repository, is an error that names the line.
func ParsePatch(text string) ([]FileChange, error) {
	if len(text) > maxPatch {
		return nil, fmt.Errorf("the patch is larger than %d MiB", maxPatch>>20)
	}
	p := &patchReader{lines: strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")}
	for p.at < len(p.lines) {
		if err := p.line(); err != nil {
			return nil, fmt.Errorf("patch, line %d: %w", p.at+1, err)
		}
	}
	p.close()
	return p.files, nil
}

// patchReader walks over a patch's lines.
type patchReader struct {
	lines []string
	at    int
	files []FileChange
	open  bool // the last of files may still get names and hunks
	named bool // by --- and +++
}

// line reads the line at p.at, and a hunk whole.
func (p *patchReader) line() error {
	l := p.lines[p.at]
	switch {
	case strings.HasPrefix(l, "diff --git "):
		p.close()
		p.files, p.open = append(p.files, FileChange{}), true
	case p.open && !p.named && strings.HasPrefix(l, "rename from "):
		if err := name(&p.last().Old, l[len("rename from "):], ""); err != nil {
			return err
		}
	case p.open && !p.named && strings.HasPrefix(l, "rename to "):
		if err := name(&p.last().New, l[len("rename to "):], ""); err != nil {
			return err
		}
	case strings.HasPrefix(l, "--- ") && p.at+1 < len(p.lines) && strings.HasPrefix(p.lines[p.at+1], "+++ "):
		if !p.open || p.named { // a diff without git's line
			p.close()
			p.files, p.open = append(p.files, FileChange{}), true
		}
		p.named = true
		*p.last() = FileChange{}
		if err := name(&p.last().Old, l[4:], "a/"); err != nil {
			return err
		}
		p.at++
		if err := name(&p.last().New, p.lines[p.at][4:], "b/"); err != nil {
			return err
		}
	case p.named && strings.HasPrefix(l, "@@ -"):
		return p.hunk()
	}
	p.at++
	return nil
}

func (p *patchReader) last() *FileChange { return &p.files[len(p.files)-1] }

// close ends a file. One that no line named (only its mode changes, or it is binary) is no change of text.
func (p *patchReader) close() {
	if p.open && p.last().Old == "" && p.last().New == "" {
		p.files = p.files[:len(p.files)-1]
	}
	p.open, p.named = false, false
}

// name reads a path: git quotes what is not plain, and diff puts a time behind a tab.
func name(into *string, text, prefix string) error {
	if strings.HasPrefix(text, `"`) {
		unquoted, err := strconv.Unquote(strings.TrimRight(text, "\t "))
		if err != nil {
			return fmt.Errorf("the path %q is badly quoted", text)
		}
		text = unquoted
	} else {
		text, _, _ = strings.Cut(text, "\t")
	}
	if text == "/dev/null" {
		return nil
	}
	text = strings.TrimPrefix(text, prefix)
	if !fs.ValidPath(text) || text == "." {
		return fmt.Errorf("%q is no path in a repository", text)
	}
	*into = text
	return nil
}

// hunk reads a hunk by its counts, so that no line in it is taken for a header.
func (p *patchReader) hunk() error {
	old, oldCount, newCount, ok := hunkHeader(p.lines[p.at])
	if !ok {
		return fmt.Errorf("%q is no hunk header", p.lines[p.at])
	}
	p.at++
	var run *edit // nil behind an unchanged line
	h := hunk{from: old}
	changed := func() {
		if run == nil {
			h.edits = append(h.edits, edit{at: old - 1})
			run = &h.edits[len(h.edits)-1]
		}
	}
	for oldCount > 0 || newCount > 0 {
		if p.at >= len(p.lines) {
			return fmt.Errorf("the hunk ends too early: %d old and %d new lines are missing", oldCount, newCount)
		}
		kind, text := byte(' '), "" // mail programs cut the blank off an empty line
		if l := p.lines[p.at]; l != "" {
			kind, text = l[0], l[1:]
		}
		switch {
		case kind == ' ' && oldCount > 0 && newCount > 0:
			run, h.old = nil, append(h.old, text)
			old, oldCount, newCount = old+1, oldCount-1, newCount-1
		case kind == '-' && oldCount > 0:
			if changed(); len(run.gone) == 0 {
				run.at = old
			}
			run.gone, h.old = append(run.gone, text), append(h.old, text)
			old, oldCount = old+1, oldCount-1
		case kind == '+' && newCount > 0:
			changed()
			run.come = append(run.come, text)
			newCount--
		case kind == '\\': // "\ No newline at end of file"
		default:
			return fmt.Errorf("%q does not fit into its hunk", p.lines[p.at])
		}
		p.at++
	}
	p.last().hunks = append(p.last().hunks, h)
	return nil
}

// hunkHeader reads "@@ -FROM,COUNT +FROM,COUNT @@"; a count that is left out is 1.
func hunkHeader(l string) (old, oldCount, newCount int, ok bool) {
	l, _, ok = strings.Cut(strings.TrimPrefix(l, "@@ -"), " @@")
	if !ok {
		return 0, 0, 0, false
	}
	from, to, ok := strings.Cut(l, " +")
	if !ok {
		return 0, 0, 0, false
	}
	old, oldCount, ok = spanOf(from)
	_, newCount, okNew := spanOf(to)
	if oldCount == 0 {
		old++ // "-7,0" stands behind line 7
	}
	return old, oldCount, newCount, ok && okNew
}

func spanOf(text string) (from, count int, ok bool) {
	a, b, both := strings.Cut(text, ",")
	from, err := strconv.Atoi(a)
	count = 1
	if both && err == nil {
		count, err = strconv.Atoi(b)
	}
	return from, count, err == nil && from >= 0 && count >= 0 && from <= 1<<30 && count <= 1<<30
}

// GoldFiles are the files that a patch changes and that a policy can find: those that exist before it and are neither
// tests nor documentation, which an issue does not point to (a change log grows with every fix). Of a patch that
// changes only documentation, that counts.
func GoldFiles(changes []FileChange) []string {
	var gold, documents []string
	for _, c := range changes {
		switch {
		case c.Old == "" || codebase.IsTest(c.Old) || slices.Contains(gold, c.Old) || slices.Contains(documents, c.Old):
		case isDocument(c.Old):
			documents = append(documents, c.Old)
		default:
			gold = append(gold, c.Old)
		}
	}
	if len(gold) == 0 {
		return documents
	}
	return gold
}

// isDocument reports whether a file is documentation, by its name.
func isDocument(name string) bool {
	base := strings.ToLower(path.Base(name))
	switch path.Ext(base) {
	case ".md", ".rst", ".adoc":
		return true
	}
	for _, word := range []string{"change", "history", "news", "readme"} {
		if stem := strings.TrimSuffix(base, ".txt"); strings.HasPrefix(stem, word) && !strings.Contains(stem, ".") {
			return true
		}
	}
	return false
}

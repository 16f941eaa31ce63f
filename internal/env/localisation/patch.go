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
	git   string // what stands behind "diff --git "
	// What git's own lines say: an empty file has no others.
	created, deleted, renamed bool
	odd                       string // what it is that a text cannot say, "" mostly
}

// hunk is a piece of a patch: lines that stand together.
type hunk struct {
	oldAt, newAt int      // where it begins, 1-based, as its header says; the line before it where a side has none
	lines        []string // each with its sign and its line end, if it has one
}

// maxPatch bounds a patch, in bytes.
const maxPatch = 16 << 20

// ParsePatch reads a unified diff, git's extensions included. Text before and between the files, as mails have it, is
// skipped. A hunk that ends too early, or a path that leads out of the repository, is an error that names the line.
func ParsePatch(text string) ([]FileChange, error) {
	changes, err := parsePatch(text)
	return slices.DeleteFunc(changes, func(c FileChange) bool { return c.Old == "" && c.New == "" }), err
}

// parsePatch reads all of a patch: also of files that no line names, which only are odd.
func parsePatch(text string) ([]FileChange, error) {
	if len(text) > maxPatch {
		return nil, fmt.Errorf("the patch is larger than %d MiB", maxPatch>>20)
	}
	if strings.Count(text, "\n") == strings.Count(text, "\r\n") { // it was sent so; else they are the files' own
		text = strings.ReplaceAll(text, "\r\n", "\n")
	}
	p := &patchReader{lines: strings.Split(text, "\n")}
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
		p.files, p.open = append(p.files, FileChange{git: l[len("diff --git "):]}), true
	case p.open && !p.named && strings.HasPrefix(l, "new file mode "):
		p.last().created = true
		if strings.HasPrefix(l, "new file mode 12") {
			p.last().odd = "a symbolic link"
		}
	case p.open && !p.named && strings.HasPrefix(l, "deleted file mode "):
		p.last().deleted = true
	case p.open && !p.named && (l == "GIT binary patch" || strings.HasPrefix(l, "Binary files ")):
		p.last().odd = "a binary file"
	case p.open && !p.named && strings.HasPrefix(l, "copy from "):
		p.last().odd = "a copy"
	case p.open && !p.named && strings.HasPrefix(l, "rename from "):
		p.last().renamed = true
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
		p.last().Old, p.last().New = "", ""
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

// close ends a file. One that no line named (only its mode changes, or it is binary) is no change of text, but for an empty
// one that comes or goes: git's first line names it, twice.
func (p *patchReader) close() {
	if p.open && p.last().Old == "" && p.last().New == "" && p.last().odd == "" {
		f := p.last()
		rest, _ := strings.CutPrefix(f.git, "a/")
		half, path := rest[:max(0, len(rest)-len(" b/"))/2], ""
		switch twice := rest == half+" b/"+half && name(&path, half, "") == nil; {
		case twice && f.created:
			f.New = path
		case twice && f.deleted:
			f.Old = path
		default:
			p.files = p.files[:len(p.files)-1]
		}
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
	h, oldCount, newCount, ok := hunkHeader(p.lines[p.at])
	if !ok {
		return fmt.Errorf("%q is no hunk header", p.lines[p.at])
	}
	p.at++
	for oldCount > 0 || newCount > 0 {
		if p.at >= len(p.lines) {
			return fmt.Errorf("the hunk ends too early: %d old and %d new lines are missing", oldCount, newCount)
		}
		l := p.lines[p.at]
		if l == "" || l == "\r" {
			l = " " + l // mail programs cut the blank off an empty line
		}
		switch kind := l[0]; {
		case kind == ' ' && oldCount > 0 && newCount > 0:
			oldCount, newCount = oldCount-1, newCount-1
		case kind == '-' && oldCount > 0:
			oldCount--
		case kind == '+' && newCount > 0:
			newCount--
		case kind == '\\': // "\ No newline at end of file"
			h.unended()
			p.at++
			continue
		default:
			return fmt.Errorf("%q does not fit into its hunk", p.lines[p.at])
		}
		h.lines = append(h.lines, l+"\n")
		p.at++
	}
	if p.at < len(p.lines) && strings.HasPrefix(p.lines[p.at], "\\ ") {
		h.unended()
	}
	p.last().hunks = append(p.last().hunks, h)
	return nil
}

// unended takes the line break off the last line.
func (h *hunk) unended() {
	if n := len(h.lines); n > 0 {
		h.lines[n-1] = strings.TrimSuffix(h.lines[n-1], "\n")
	}
}

// hunkHeader reads "@@ -FROM,COUNT +FROM,COUNT @@"; a count that is left out is 1.
func hunkHeader(l string) (h hunk, oldCount, newCount int, ok bool) {
	l, _, ok = strings.Cut(strings.TrimPrefix(l, "@@ -"), " @@")
	if !ok {
		return h, 0, 0, false
	}
	from, to, ok := strings.Cut(l, " +")
	if !ok {
		return h, 0, 0, false
	}
	h.oldAt, oldCount, ok = spanOf(from)
	var okNew bool
	h.newAt, newCount, okNew = spanOf(to)
	return h, oldCount, newCount, ok && okNew
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

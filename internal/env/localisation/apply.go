package localisation

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/syntax"
)

// maxEffort bounds the lines that are compared and moved for one patch.
const maxEffort = 200_000_000

// Texts are the files that a patch leaves behind, by path; nil stands for one that it deletes.
type Texts map[string]*string

// ErrPatch says that a text is no patch of text files, or changes nothing.
var ErrPatch = errors.New("no patch that can be applied")

// Apply applies a patch to the files that read gives and tells what becomes of them. It does what git apply does: a hunk
// may lie some lines away from where it says, but its context must stand in the file exactly, and a patch of which one hunk
// fits nowhere is not applied at all. Paths may lack git's a/ and b/; file modes are passed over. The error is ErrPatch, or
// names the file and the hunk that does not fit.
func Apply(read func(path string) (text string, ok bool), patch string) (Texts, error) {
	files, err := parsePatch(patch)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrPatch, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("%w: it changes nothing", ErrPatch)
	}
	p := newApplying(read)
	for _, f := range files {
		if _, err := p.file(f); err != nil {
			return nil, err
		}
	}
	texts := Texts{}
	for path, left := range p.images {
		if texts[path] = nil; left != nil {
			texts[path] = new(left.text())
		}
	}
	return texts, nil
}

// applying is a patch on its way.
type applying struct {
	read   func(string) (string, bool)
	images map[string]image // as the patch has left them so far; nil for one that it deletes
	effort int              // what is left of maxEffort
}

func newApplying(read func(string) (string, bool)) *applying {
	return &applying{read, map[string]image{}, maxEffort}
}

// image is a file on its way. It is not nil.
type image []imageLine

// imageLine is a line of a file, with its line break. One that a hunk has set fits no other hunk.
type imageLine struct {
	text   string
	number int // which line it was, from 1, before the patch; 0 where the patch brought it
	set    bool
}

func imageOf(text string) image {
	lines := image{}
	for l := range strings.Lines(text) {
		lines = append(lines, imageLine{text: l, number: len(lines) + 1})
	}
	return lines
}

func (m image) text() string {
	var b strings.Builder
	for _, l := range m {
		b.WriteString(l.text)
	}
	return b.String()
}

// now is a file as the patch has left it so far.
func (p *applying) now(path string) (image, bool) {
	if lines, ok := p.images[path]; ok {
		return lines, lines != nil
	}
	text, ok := p.read(path)
	return imageOf(text), ok
}

// file applies what the patch says of one file, and gives what it leaves.
func (p *applying) file(f FileChange) (image, error) {
	name, lines := f.Old, image{}
	switch {
	case f.odd != "":
		return nil, fmt.Errorf("%w: it holds %s", ErrPatch, f.odd)
	case f.Old != "" && f.New != "" && f.Old != f.New && !f.renamed:
		return nil, fmt.Errorf("%w: %q and %q are two files", ErrPatch, f.Old, f.New)
	case len(f.hunks) == 0 && !f.created && !f.deleted && !f.renamed:
		return nil, fmt.Errorf("%w: no hunk stands behind %q", ErrPatch, cmp.Or(f.New, f.Old))
	case f.Old == "":
		name = f.New
	default:
		var ok bool
		if lines, ok = p.now(f.Old); !ok {
			return nil, fmt.Errorf("%q does not exist", f.Old)
		}
	}
	if f.New != "" && f.New != f.Old {
		if _, ok := p.now(f.New); ok {
			return nil, fmt.Errorf("%q exists already", f.New)
		}
	}
	for i, h := range f.hunks {
		var err error
		if lines, err = p.hunk(lines, h); err != nil {
			return nil, fmt.Errorf("%q, hunk %d of %d: %w", name, i+1, len(f.hunks), err)
		}
	}
	if f.Old != "" && f.Old != f.New {
		p.images[f.Old] = nil
	}
	if f.New != "" {
		p.images[f.New] = lines
	} else if len(lines) > 0 {
		return nil, fmt.Errorf("%q is to be deleted, but lines of it are left", name)
	}
	return lines, nil
}

// hunk puts one hunk into a file.
func (p *applying) hunk(lines image, h hunk) (image, error) {
	var before []string
	trailing := 0
	for _, l := range h.lines {
		trailing++
		if l[0] != '+' {
			before = append(before, l[1:])
		}
		if l[0] != ' ' {
			trailing = 0
		}
	}
	at, err := p.find(lines, before, h, trailing == 0)
	if err != nil {
		return nil, err
	}
	after := append(image{}, lines[:at]...)
	old := at
	for _, l := range h.lines {
		came := imageLine{text: l[1:], set: true}
		if l[0] == ' ' {
			came.number = lines[old].number
		}
		if l[0] != '+' {
			old++
		}
		if l[0] != '-' {
			after = append(after, came)
		}
	}
	p.effort -= len(lines)
	return append(after, lines[old:]...), nil
}

// find looks for a hunk's old lines around the place that it names, alternately below and above, as git does. A hunk that
// begins with the first line belongs there, and one without lines behind its change at the end.
func (p *applying) find(lines image, before []string, h hunk, atEnd bool) (int, error) {
	last := len(lines) - len(before)
	fits := func(at int) bool {
		if at < 0 || at > last || h.oldAt <= 1 && at > 0 || atEnd && at != last {
			return false
		}
		for i, l := range before {
			p.effort--
			if lines[at+i].set || lines[at+i].text != l {
				return false
			}
		}
		return true
	}
	start := min(max(h.newAt-1, 0), len(lines))
	for away := 0; away <= len(lines) && p.effort > 0; away++ {
		p.effort--
		if fits(start + away) {
			return start + away, nil
		}
		if away > 0 && fits(start-away) {
			return start - away, nil
		}
	}
	if p.effort <= 0 {
		return 0, errors.New("finding its place takes too long")
	}
	return 0, errors.New("its old lines are not in the file")
}

// Parses tells whether the files that a patch leaves behind parse; nil where that is unknown: none of them is in a language
// with a grammar, or one did not parse before either.
func Parses(ctx context.Context, parser *syntax.Parser, read func(path string) (string, bool), after Texts) (*bool, error) {
	sound, unknown := false, false
	for path, text := range after {
		if text == nil {
			continue
		}
		bad, known, err := broken(ctx, parser, path, *text)
		if err != nil {
			return nil, err
		}
		if old, ok := read(path); bad && ok {
			was, _, err := broken(ctx, parser, path, old)
			if err != nil {
				return nil, err
			}
			unknown, bad = unknown || was, !was
		}
		if bad {
			return new(false), nil
		}
		sound = sound || known
	}
	if unknown || !sound {
		return nil, nil
	}
	return new(true), nil
}

// broken tells whether a text has errors of syntax; not known without a grammar for its language.
func broken(ctx context.Context, parser *syntax.Parser, path, text string) (broken, known bool, err error) {
	f, _ := codebase.FromMap(map[string]string{path: text}).File(path)
	tree, err := parser.Parse(ctx, f.Language, []byte(text))
	if ctx.Err() != nil {
		return false, false, ctx.Err()
	}
	if err != nil || tree.Truncated() { // no grammar, or too large
		return false, false, nil
	}
	return tree.HasError(), true, nil
}

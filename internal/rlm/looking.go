package rlm

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/rlm/look"
)

// grep prints the lines that match a pattern.
func (n surface) grep(_ context.Context, q look.Query) (answered, error) {
	m, err := look.Grep(n.run.cfg.Codebase, q)
	if err != nil {
		return answered{}, err
	}
	lines := make([][3]any, len(m.Lines))
	for i, l := range m.Lines {
		lines[i] = [3]any{l.File, l.Line, l.Text}
	}
	return answered{map[string]any{"lines": lines, "text": m.Text}, fmt.Sprintf("%d lines in %d files", m.Total, m.Files)}, nil
}

// maxShown bounds what one show prints; the root sees what of it fits its output, and more has the rest.
const maxShown = 200_000

// show prints lines of a file behind their numbers.
func (n surface) show(_ context.Context, a struct {
	Path string `json:"path"`
	A    int    `json:"a"`
	B    int    `json:"b"`
}) (answered, error) {
	if m := ranged.FindStringSubmatch(a.Path); m != nil && n.inCodebase(a.Path) != nil { // as review takes it
		a.Path = m[1]
		a.A, a.B = atoi(m[2]), atoi(cmp.Or(m[3], m[2]))
	}
	text, err := look.Show(n.run.cfg.Codebase, a.Path, a.A, a.B, maxShown)
	if err != nil {
		return answered{}, err
	}
	return printed(text, fmt.Sprintf("%d lines", max(0, strings.Count(text, "\n")-1))), nil
}

// tree prints the files below a directory.
func (n surface) tree(_ context.Context, a struct {
	Prefix string `json:"prefix"`
	Depth  int    `json:"depth"`
}) (answered, error) {
	text := n.run.cfg.Codebase.Below(a.Prefix, a.Depth, maxShown)
	if text == "" {
		if n.inCodebase(a.Prefix) == nil {
			return answered{}, fmt.Errorf("%q is a file and no directory: show(path) prints it", a.Prefix)
		}
		return answered{}, fmt.Errorf("there is no directory %q: tree() has all", a.Prefix)
	}
	return printed(text, fmt.Sprintf("%d entries", strings.Count(text, "\n"))), nil
}

// more prints what was cut from the output of a cell: of the last one that has something left, unless one is named.
func (n surface) more(_ context.Context, a struct {
	Cell *int `json:"cell"`
}) (answered, error) {
	cell := n.rests.last()
	if a.Cell != nil {
		cell = *a.Cell
	}
	r := n.rests.of(cell)
	switch {
	case a.Cell == nil && r == nil && len(n.rests) == 0:
		return printed("nothing was cut\n", "nothing"), nil
	case a.Cell == nil && r == nil:
		return printed("all that was kept of cut outputs has been shown\n", "nothing"), nil
	case cell < 1 || cell >= n.number:
		return answered{}, fmt.Errorf("no cell before this one, which is cell %d, has the number %d", n.number, cell)
	case r == nil:
		return printed(fmt.Sprintf("the output of cell %d was not cut\n", cell), "nothing"), nil
	case r.dropped:
		return printed(fmt.Sprintf("the rest of cell %d is no longer kept: only the newest %d characters that were cut are\n", cell, maxRests),
			"nothing"), nil
	case r.text == "":
		return printed(fmt.Sprintf("all that was kept of the output of cell %d has been shown\n", cell), "nothing"), nil
	}
	if !slices.Contains(n.reread, cell) {
		n.reread = append(n.reread, cell)
	}
	text := r.next(n.run.cfg.OutputChars)
	return printed(text, fmt.Sprintf("cell %d: %d characters, %d are left", cell, len(text), len(r.text))), nil
}

// printed is the answer of a call that prints.
func printed(text, note string) answered { return answered{map[string]any{"text": text}, note} }

package rlm

import (
	"context"
	"fmt"
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

// maxShown bounds what one show prints; the root sees what of it fits its output, and more() has the rest.
const maxShown = 200_000

// show prints lines of a file behind their numbers.
func (n surface) show(_ context.Context, a struct {
	Path string `json:"path"`
	A    int    `json:"a"`
	B    int    `json:"b"`
}) (answered, error) {
	text, err := look.Show(n.run.cfg.Codebase, a.Path, a.A, a.B, maxShown)
	if err != nil {
		return answered{}, err
	}
	return answered{map[string]any{"text": text}, fmt.Sprintf("%d lines", max(0, strings.Count(text, "\n")-1))}, nil
}

// tree prints the files below a directory.
func (n surface) tree(_ context.Context, a struct {
	Prefix string `json:"prefix"`
	Depth  int    `json:"depth"`
}) (answered, error) {
	text := n.run.cfg.Codebase.Below(a.Prefix, a.Depth, maxShown)
	if text == "" {
		return answered{}, fmt.Errorf("there is no directory %q", a.Prefix)
	}
	return answered{map[string]any{"text": text}, fmt.Sprintf("%d entries", strings.Count(text, "\n"))}, nil
}

// more prints what was cut from the output of the cell before.
func (n surface) more(context.Context, struct{}) (answered, error) {
	if n.rest == "" {
		return answered{map[string]any{"text": "nothing was cut\n"}, "nothing"}, nil
	}
	n.reread = true
	k := min(len(n.rest), n.run.cfg.OutputChars)
	if k < len(n.rest) {
		k = whole(n.rest, k)
	}
	text := n.rest[:k]
	n.rest = n.rest[k:]
	note := fmt.Sprintf("%d characters, %d are left", len(text), len(n.rest))
	return answered{map[string]any{"text": text}, note}, nil
}

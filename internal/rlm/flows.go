package rlm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/deeprepo/deeprepo/internal/flow"
	"github.com/deeprepo/deeprepo/internal/runfile"
)

// flowing is a path that an untrusted value may take, as a root sees it.
type flowing struct {
	Kind  string         `json:"kind"` // what it does harm as: "sql", "path"
	File  string         `json:"file"` // where it does harm
	Line  int            `json:"line"`
	What  string         `json:"what"`  // the call or assignment that does the harm
	Param bool           `json:"param"` // it enters as a parameter of a function that nobody here calls
	Files []string       `json:"files"`
	Path  []runfile.Step `json:"path"`
}

// flows lists what untrusted values reach, in the files at or below a path, or in all of them.
func (n surface) flows(ctx context.Context, about subject) (answered, error) {
	got := rows{Rows: []any{}, Texts: []string{}}
	if n.run.cfg.Flows == nil {
		return answered{got, "no flows here"}, nil
	}
	hits, err := n.run.cfg.Flows(ctx)
	if err != nil && !errors.Is(err, flow.ErrTooMuch) {
		return answered{}, err
	}
	under := strings.TrimSuffix(about.About, "/")
	for _, h := range hits {
		if under != "" && h.File != under && !strings.HasPrefix(h.File, under+"/") {
			continue
		}
		row := flowing{Kind: h.Kind, File: h.File, Line: h.Node.Line(), What: h.What, Param: h.Param, Files: h.Files(), Path: h.Path}
		var b strings.Builder
		fmt.Fprintf(&b, "%s:%d %s: an untrusted value reaches %s", row.File, row.Line, row.Kind, row.What)
		if row.Param {
			b.WriteString(" as a parameter")
		}
		for _, s := range row.Path {
			fmt.Fprintf(&b, "\n    %s:%d %s", s.File, s.Line, oneLine(s.Text, 120))
		}
		got.add(row, "%s", b.String())
	}
	return answered{got, fmt.Sprintf("%d rows", len(got.Rows))}, nil
}

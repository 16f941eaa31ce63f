package rlm

import (
	"fmt"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// maxRests bounds what a loop keeps of cut outputs, in bytes; the oldest goes first.
const maxRests = 1 << 20

// rest is what of a cell's output its root has not been shown.
type rest struct {
	cell    int
	text    string
	lost    int  // characters behind text that were not kept
	dropped bool // to make room
}

// rests are the cut outputs of a loop, the oldest first.
type rests []rest

// keep adds the rest of a cell's output.
func (r *rests) keep(cell int, text string, lost int) {
	*r = append(*r, rest{cell: cell, text: text, lost: max(0, lost)})
	held := 0
	for i := len(*r) - 1; i >= 0; i-- {
		one := &(*r)[i]
		if held += len(one.text); held > maxRests {
			held -= len(one.text)
			one.text, one.dropped = "", true
		}
	}
}

// last is the cell whose output was cut last and is not shown to its end; 0 where there is none.
func (r rests) last() int {
	for i := len(r) - 1; i >= 0; i-- {
		if r[i].text != "" {
			return r[i].cell
		}
	}
	return 0
}

// of is the rest of a cell's output, nil where it was not cut.
func (r rests) of(cell int) *rest {
	for i := range r {
		if r[i].cell == cell {
			return &r[i]
		}
	}
	return nil
}

// next takes at most so many bytes of a rest.
func (r *rest) next(most int) string {
	head := termtext.Cut(r.text, most)
	if head == "" { // a character that is longer
		head = r.text
	}
	r.text = r.text[len(head):]
	return head
}

// left says how to read on; "" where nothing is left.
func (r *rest) left() string {
	switch {
	case r.text != "":
		return fmt.Sprintf("%d characters of cell %d are left: more(%d) prints on", len(r.text), r.cell, r.cell)
	case r.lost > 0:
		return fmt.Sprintf("the last %d characters of cell %d were not kept", r.lost, r.cell)
	}
	return ""
}

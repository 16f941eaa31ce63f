package runtest

import (
	"bytes"
	"iter"
)

// Journal is a trace's file on another machine: it stands in memory.
type Journal struct{ bytes.Buffer }

// Sync does nothing.
func (*Journal) Sync() error { return nil }

// Close does nothing.
func (*Journal) Close() error { return nil }

// Cuts are what crashes leave of a journal: as many of its lines as the number says, and behind every third of these parts a torn line.
func Cuts(journal []byte) iter.Seq2[int, []byte] {
	return func(yield func(int, []byte) bool) {
		lines := bytes.SplitAfter(journal, []byte("\n"))
		for cut, next := range lines {
			part := bytes.Join(lines[:cut], nil)
			if cut%3 == 1 {
				part = append(part, next[:len(next)/2]...)
			}
			if !yield(cut, part) {
				return
			}
		}
	}
}

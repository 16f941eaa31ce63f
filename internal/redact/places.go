package redact

import (
	"slices"
	"strings"
)

// Place is a secret in a file: its kind and its line, never itself.
type Place struct {
	Kind string `json:"kind"`
	Line int    `json:"line"` // from 1
}

// Places says where RedactFile finds the secrets of a file, in order.
func (r *Redactor) Places(name, text string) []Place {
	clean, n := r.RedactFile(name, text)
	if n == 0 {
		return nil
	}
	var places []Place
	line := 0
	for l := range strings.Lines(clean) { // a secret leaves its line ends behind: the lines are those of text
		before, after, _ := strings.Cut(text, "\n")
		text = after
		line++
		old := marks(before)
		for _, kind := range marks(l) {
			if i := slices.Index(old, kind); i >= 0 {
				old = slices.Delete(old, i, i+1) // a mark that stood there already
				continue
			}
			places = append(places, Place{kind, line})
		}
	}
	return places
}

// marks are the kinds of the marks in a text.
func marks(text string) []string {
	var kinds []string
	for {
		_, rest, found := strings.Cut(text, mark)
		if !found {
			return kinds
		}
		kind, after, closed := strings.Cut(rest, "]")
		if !closed {
			return kinds
		}
		kinds, text = append(kinds, kind), after
	}
}

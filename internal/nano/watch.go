package nano

import (
	"bytes"

	"github.com/deeprepo/deeprepo/internal/lm/bpe"
)

// watch looks for stop sequences in a reply while it is written.
type watch struct {
	tokenizer *bpe.Tokenizer
	stops     []string
	text      []byte // what was written
	found     int    // where the first sequence begins in it; -1: there is none yet
}

// newWatch gives nil where there is nothing to look for.
func newWatch(t *bpe.Tokenizer, stops []string) *watch {
	w := &watch{tokenizer: t, found: -1}
	for _, s := range stops {
		if s != "" {
			w.stops = append(w.stops, s)
		}
	}
	if len(w.stops) == 0 {
		return nil
	}
	return w
}

// write takes the next token, and reports whether a sequence is complete with it.
func (w *watch) write(token int32) bool {
	if w == nil {
		return false
	}
	old := len(w.text)
	w.text = append(w.text, w.tokenizer.Text(token)...)
	for _, s := range w.stops {
		from := max(0, old-len(s)+1) // what was there before holds none
		if i := bytes.Index(w.text[from:], []byte(s)); i >= 0 && (w.found < 0 || from+i < w.found) {
			w.found = from + i
		}
	}
	return w.found >= 0
}

// cut is a text up to the sequence that was found in it.
func (w *watch) cut(text string) string {
	if w == nil || w.found < 0 {
		return text
	}
	return text[:w.found]
}

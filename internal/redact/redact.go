package redact

import (
	"cmp"
	"slices"
	"strings"
)

// Redactor finds secrets. It never changes and is safe for concurrent use.
type Redactor struct {
	rules   []rule
	scanner *scanner
}

// New makes a redactor of all kinds.
func New() *Redactor {
	r := &Redactor{rules: rules()}
	r.scanner = newScanner(r.rules)
	return r
}

// Kinds gives the words that can follow [REDACTED: in the order of preference.
func (r *Redactor) Kinds() []string {
	var kinds []string
	for i := range r.rules {
		if !slices.Contains(kinds, r.rules[i].kind) {
			kinds = append(kinds, r.rules[i].kind)
		}
	}
	return kinds
}

// Redact replaces each secret in text by [REDACTED:kind] and says how many there
// were. A secret of several lines leaves as many line ends behind.
func (r *Redactor) Redact(text string) (string, int) {
	total := 0
	for {
		found := r.find(text)
		if len(found) == 0 {
			return text, total
		}
		total += len(found)
		text = r.replace(text, found)
		// What stood beside a secret can be one by itself now. Each round leaves
		// less text that is not a mark, so this ends.
	}
}

// secret is a stretch of text to be replaced.
type secret struct {
	start, end int
	rule       int
}

// find gives the secrets in order, none overlapping another. Where two do, the
// rule that stands first is believed.
func (r *Redactor) find(text string) []secret {
	var found []secret
	r.scanner.scan(text, func(rule, start, end int) {
		if s, ok := r.rules[rule].at(text, start, end); ok {
			s.rule = rule
			found = append(found, s)
		}
	})
	slices.SortFunc(found, func(a, b secret) int {
		return cmp.Or(cmp.Compare(a.rule, b.rule), cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end))
	})
	var kept []secret
	for _, s := range found {
		i, _ := slices.BinarySearchFunc(kept, s.start, func(k secret, start int) int { return cmp.Compare(k.start, start) })
		if i > 0 && kept[i-1].end > s.start || i < len(kept) && kept[i].start < s.end {
			continue
		}
		kept = slices.Insert(kept, i, s)
	}
	return kept
}

// replace writes the marks.
func (r *Redactor) replace(text string, found []secret) string {
	var sb strings.Builder
	sb.Grow(len(text))
	last := 0
	for _, s := range found {
		sb.WriteString(text[last:s.start])
		sb.WriteString(mark + r.rules[s.rule].kind + "]")
		for range strings.Count(text[s.start:s.end], "\n") {
			sb.WriteByte('\n')
		}
		last = s.end
	}
	sb.WriteString(text[last:])
	return sb.String()
}

const mark = "[REDACTED:"

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
// were. A secret of several lines leaves as many line ends behind. What stands
// behind a header "=== FILE: path (lines A-B of N) ===" is read as that file is.
func (r *Redactor) Redact(text string) (string, int) {
	var out strings.Builder
	total, at, done := 0, 0, 0
	sections(text, func(part string, f format) {
		if clean, n := r.redact(part, f); n > 0 {
			out.WriteString(text[done:at])
			out.WriteString(clean)
			total, done = total+n, at+len(part)
		}
		at += len(part)
	})
	if total == 0 {
		return text, 0
	}
	out.WriteString(text[done:])
	return out.String(), total
}

// RedactFile is Redact for the text of one file. Its name decides which values
// without quotes are read: those of configuration, not those of source code.
func (r *Redactor) RedactFile(name, text string) (string, int) { return r.redact(text, formatOf(name)) }

// rounds bounds the work on a text in which each secret uncovers another one.
const rounds = 8

// redact replaces the secrets of a text of one format, and of the blocks of code in prose.
func (r *Redactor) redact(text string, f format) (string, int) {
	if f != plain || !strings.Contains(text, "```") {
		return r.redactPart(text, f)
	}
	var out strings.Builder
	total := 0
	fences(text, func(part string, f format) {
		clean, n := r.redactPart(part, f)
		out.WriteString(clean)
		total += n
	})
	return out.String(), total
}

func (r *Redactor) redactPart(text string, f format) (string, int) {
	total := 0
	for range rounds {
		found := r.find(text, f)
		if len(found) == 0 {
			break
		}
		total += len(found)
		text = r.replace(text, found)
		// What stood beside a secret can be one by itself now.
	}
	return text, total
}

// secret is a stretch of text to be replaced.
type secret struct {
	start, end int
	rule       int
}

// find gives the secrets in order, none overlapping another. Where two do, the
// rule that stands first is believed.
func (r *Redactor) find(text string, f format) []secret {
	var found []secret
	r.scanner.scan(text, func(rule, start, end int) {
		if s, ok := r.rules[rule].at(text, start, end, f); ok {
			s.rule = rule
			found = append(found, s)
		}
	})
	found = r.whole(text, f, found)
	slices.SortFunc(found, func(a, b secret) int {
		return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.rule, b.rule), cmp.Compare(b.end, a.end))
	})
	kept := found[:0]
	for _, s := range found {
		for len(kept) > 0 && kept[len(kept)-1].end > s.start && kept[len(kept)-1].rule > s.rule {
			kept = kept[:len(kept)-1]
		}
		if len(kept) == 0 || kept[len(kept)-1].end <= s.start {
			kept = append(kept, s)
		}
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

package alike

import (
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Own is what a file is named after, in any case style, singular or plural. Nil is nothing.
type Own struct{ one, many *regexp.Regexp }

// own stands for a file's own name in a text where it was found, with an s behind it for its plural.
const own = "@"

// Owns gives what each of some files is named after: the words of its path that the others do not share.
func Owns(paths []string) []*Own {
	names := make([][]string, len(paths))
	split := func(piece func(p string) string) bool {
		for i, p := range paths {
			names[i] = words(piece(p))
		}
		return slices.ContainsFunc(names, func(n []string) bool { return !slices.Equal(n, names[0]) })
	}
	if !split(func(p string) string { return strings.TrimSuffix(path.Base(p), path.Ext(p)) }) {
		split(path.Dir)
	}
	for head := true; ; head = false {
		for shared(names, head) {
			for i := range names {
				if head {
					names[i] = names[i][1:]
				} else {
					names[i] = names[i][:len(names[i])-1]
				}
			}
		}
		if !head {
			break
		}
	}
	list := make([]*Own, len(names))
	for i, n := range names {
		list[i] = named(n)
	}
	return list
}

// shared reports names that begin, or end, with one word and have more.
func shared(names [][]string, head bool) bool {
	at := func(n []string) string {
		if head {
			return n[0]
		}
		return n[len(n)-1]
	}
	return len(names) > 0 && !slices.ContainsFunc(names, func(n []string) bool { return len(n) < 2 || at(n) != at(names[0]) })
}

func named(words []string) *Own {
	if len(strings.Join(words, "")) < 3 {
		return nil
	}
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = regexp.QuoteMeta(w)
	}
	one := "(?i)" + strings.Join(quoted, `[ ._/\-]?`)
	many := one + "e?s"
	if stem, ok := strings.CutSuffix(one, "y"); ok {
		many = stem + "(?:ies|ys)"
	}
	return &Own{regexp.MustCompile(one), regexp.MustCompile(many)}
}

// words cuts a name in any case style into its words, in lower case.
func words(name string) []string {
	var list []string
	from, before := 0, ' '
	cut := func(to int) {
		if from < to {
			list = append(list, strings.ToLower(name[from:to]))
		}
	}
	for i, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			cut(i)
			from = i + utf8.RuneLen(r)
		case unicode.IsUpper(r) && !unicode.IsUpper(before):
			cut(i)
			from = i
		}
		before = r
	}
	cut(len(name))
	return list
}

// find gives the first place from an index on that holds the file's name as words of their own, start -1 for none.
func (o *Own) find(text string, from int) (start, end int, plural bool) {
	if o == nil {
		return -1, 0, false
	}
	start, end = whole(o.one, text, from)
	if first, last := whole(o.many, text, from); first >= 0 && (start < 0 || first <= start) {
		return first, last, true
	}
	return start, end, false
}

// whole finds a pattern where it begins and ends with a word, be it within a name.
func whole(pattern *regexp.Regexp, text string, from int) (start, end int) {
	for from < len(text) {
		m := pattern.FindStringIndex(text[from:])
		if m == nil {
			break
		}
		start, end := from+m[0], from+m[1]
		first, size := utf8.DecodeRuneInString(text[start:])
		before, _ := utf8.DecodeLastRuneInString(text[:start])
		last, _ := utf8.DecodeLastRuneInString(text[:end])
		after, _ := utf8.DecodeRuneInString(text[end:])
		if (start == 0 || !unicode.IsLetter(before) || unicode.IsLower(before) && unicode.IsUpper(first)) &&
			(end == len(text) || !unicode.IsLetter(after) || unicode.IsLower(last) && unicode.IsUpper(after)) {
			return start, end
		}
		from = start + size
	}
	return -1, 0
}

// Without is a text with a mark in place of the file's own name.
func (o *Own) Without(text string) string {
	var b strings.Builder
	at := 0
	for {
		start, end, plural := o.find(text, at)
		if start < 0 {
			break
		}
		b.WriteString(text[at:start] + own)
		if plural {
			b.WriteByte('s')
		}
		at = end
	}
	if at == 0 {
		return text
	}
	return b.String() + text[at:]
}

// leads gives how much of the beginning of a text is the file's own name.
func (o *Own) leads(text string) int {
	if start, end, _ := o.find(text[:min(len(text), maxLead)], 0); start == 0 {
		return end
	}
	return 0
}

const maxLead = 120

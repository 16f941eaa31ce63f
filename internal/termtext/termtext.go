// Package termtext makes text of strangers (a repository, a model, a provider) harmless where it is shown, and cuts it to
// the room there is.
package termtext

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Visible makes text harmless wherever it is shown: invalid UTF-8 becomes U+FFFD, and characters that act instead of being
// seen (terminal escapes, direction overrides, zero-width characters, tags) are written out as \x1b or \u202e. Line breaks
// and tabs stay; carriage returns before line breaks go.
func Visible(s string) string {
	if !strings.ContainsFunc(s, func(r rune) bool { return r == utf8.RuneError || r != '\n' && r != '\t' && Acts(r) }) {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || !Acts(r):
			b.WriteRune(r)
		case r < 0x100:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
	}
	return b.String()
}

// Inline makes a name from a user, a model or a repository harmless on one line of a terminal: it is [Visible] text, with
// one space in place of every run of white space.
func Inline(s string) string { return OneLine(Visible(s)) }

// Masked is text of as many characters, with U+FFFD in place of each that acts. Line breaks and tabs stay.
func Masked(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && Acts(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// MaskedLine is as [Masked], and has line breaks and tabs masked, too.
func MaskedLine(s string) string {
	return strings.Map(func(r rune) rune {
		if Acts(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// Acts reports whether r changes how its neighbours are shown, or is not shown itself.
func Acts(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7F && r < 0xA0, r == 0xAD: // controls, soft hyphen
		return true
	case r == 0x061C, r == 0x180E, r >= 0x200B && r <= 0x200F, r >= 0x2028 && r <= 0x202E, r >= 0x2060 && r <= 0x206F:
		return true // directions, zero widths, separators
	case r == 0xFEFF, r >= 0xFFF9 && r <= 0xFFFB, r >= 0xE0000 && r <= 0xE0FFF:
		return true // byte order mark, annotations, tags
	}
	return false
}

// Plural is a number with its noun: 1 sample, 2 samples.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// OneLine is s with one space in place of every run of white space.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// Cut keeps the first n bytes, without a character that they would split. When it cuts, invalid UTF-8 is dropped as well.
func Cut(s string, n int) string { return CutWith(s, n, "") }

// CutWith cuts as [Cut] does, and puts a mark behind what is left of a text that was longer.
func CutWith(s string, n int, mark string) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + mark
}

// Left keeps the beginning of a text that is longer than n characters, with … as the last of them; Right keeps the end: of
// a path it tells more.
func Left(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// Right keeps the end, see [Left].
func Right(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return "…" + string(r[len(r)-n+1:])
	}
	return s
}

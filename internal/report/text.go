package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// unknown stands for an unknown number.
const unknown = "?"

// visible makes text harmless wherever it is shown: invalid UTF-8 becomes U+FFFD, and characters that act instead of being
// seen (terminal escapes, direction overrides, zero-width characters, tags) are written out as \x1b or \u202e. Line breaks
// and tabs stay; carriage returns before line breaks go.
func visible(s string) string {
	clean := true
	for _, r := range s {
		if r == utf8.RuneError || r != '\n' && r != '\t' && acts(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	s = strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\r\n", "\n")
	var b strings.Builder
	b.Grow(len(s) + 16)
	for _, r := range s {
		switch {
		case r == '\n' || r == '\t' || !acts(r):
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

// acts reports whether r changes how its neighbours are shown, or is not shown itself.
func acts(r rune) bool {
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

// inline is visible text on one line.
func inline(s string) string { return strings.Join(strings.Fields(visible(s)), " ") }

// clip cuts s to about n bytes at a rune boundary and says how much went.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := n
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + fmt.Sprintf("… [%s more bytes]", count(len(s)-cut))
}

// count writes n with thousands separated by commas.
func count[T int | int64](n T) string {
	s := strconv.FormatInt(int64(n), 10)
	neg := strings.HasPrefix(s, "-")
	s = strings.TrimPrefix(s, "-")
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	if neg {
		return "-" + s
	}
	return s
}

// plural is "1 file", "2 files".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return count(n) + " " + many
}

// dollars writes a cost: "?" when unknown, "$0" when nothing, and otherwise at least three significant digits.
func dollars(usd *float64) string {
	switch {
	case usd == nil:
		return unknown
	case *usd == 0:
		return "$0"
	case *usd < 0.0001:
		return "<$0.0001"
	case *usd < 0.1:
		return fmt.Sprintf("$%.4f", *usd)
	}
	return fmt.Sprintf("$%.2f", *usd)
}

// duration writes seconds as "0.4 s", "12 s", "3 min 5 s", "1 h 2 min".
func duration(s float64) string {
	switch {
	case s < 0 || s != s:
		return unknown
	case s < 10:
		return fmt.Sprintf("%.1f s", s)
	case s < 60:
		return fmt.Sprintf("%.0f s", s)
	case s < 3600:
		return fmt.Sprintf("%d min %d s", int(s)/60, int(s)%60)
	}
	return fmt.Sprintf("%d h %d min", int(s)/3600, int(s)%3600/60)
}

// percent writes a fraction; it says 100% and 0% only of the whole and of nothing.
func percent(f float64) string {
	switch {
	case f >= 1:
		return "100%"
	case f <= 0 || f != f:
		return "0%"
	case f > 0.999:
		return ">99.9%"
	case f < 0.001:
		return "<0.1%"
	}
	return strings.TrimSuffix(strconv.FormatFloat(f*100, 'f', 1, 64), ".0") + "%"
}

package offline

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Prompts is how many prompts read.py puts the files into, where a worker is given at most so many characters a prompt. It
// is read.py's own arithmetic, and the number of dispatches of a run in which every worker answers.
func Prompts(paths []string, text func(path string) string, most int) int {
	limit := max(1000, most-200)
	full := min(limit, 48_000)
	prompts, size := 0, 0
	add := func(path string, first, last, total, chars int, open bool) {
		chars += utf8.RuneCountInString(fmt.Sprintf("=== FILE:  (lines %d-%d of %d) ===\n", first, last, total)) + shownChars(path)
		if open {
			chars++
		}
		if size > 0 && size+chars > full {
			prompts, size = prompts+1, 0
		}
		size += chars
	}
	for _, path := range paths {
		t := text(path)
		chars, room := utf8.RuneCountInString(t), limit-utf8.RuneCountInString(path)-80
		open := !strings.HasSuffix(t, "\n")
		total := strings.Count(t, "\n")
		if chars < room {
			if open {
				total++
			}
			add(path, 1, total, total, chars, open)
			continue
		}
		if open && t != "" {
			total++
		}
		first, at, part := 1, 0, 0
		for line := range strings.Lines(t) {
			n := utf8.RuneCountInString(line)
			if part > 0 && part+n > room {
				add(path, first, at, total, part, false)
				first, part = at+1, 0
			}
			at, part = at+1, part+n
		}
		add(path, first, total, total, part, open)
	}
	if size > 0 {
		prompts++
	}
	return prompts
}

// shownChars are the characters of a path as read.py shows it: as it is, or as JSON in ASCII.
func shownChars(path string) int {
	printable := !strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) })
	if printable && !strings.HasPrefix(path, `"`) {
		return utf8.RuneCountInString(path)
	}
	n := 2
	for _, r := range path {
		switch {
		case strings.ContainsRune("\"\\\n\r\t\f\b", r):
			n += 2
		case r > 0xFFFF:
			n += 12
		case r < 0x20 || r > 0x7E && r != 0x7F:
			n += 6
		default:
			n++
		}
	}
	return n
}

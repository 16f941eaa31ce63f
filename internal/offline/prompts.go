package offline

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Reading is what read.py reads.
type Reading struct {
	Paths    []string
	Text     func(path string) string
	Most     int        // characters of a prompt that a worker is given
	Crossing [][]string // the files of each path of an untrusted value, as flows() lists them
	Rules    bool       // the workers are static rules
}

// Prompts is how many prompts read.py makes. It is read.py's own arithmetic, and the number of dispatches of a run in which every
// worker answers.
func (r Reading) Prompts() int {
	limit := max(1000, r.Most-200)
	full := min(limit, 48_000)
	if r.Rules {
		full = min(limit, 1_500_000)
	}
	prompts, size := 0, 0
	whole, in := map[string]int{}, map[string]int{} // the characters of files that stand in one prompt, and in which
	for _, path := range r.Paths {
		all := pieces(path, r.Text(path), limit)
		for _, chars := range all {
			if size > 0 && size+chars > full {
				prompts, size = prompts+1, 0
			}
			size += chars
		}
		if len(all) == 1 {
			whole[path], in[path] = all[0], prompts
		}
	}
	if size > 0 {
		prompts++
	}
	return prompts + r.crossing(full, whole, in)
}

// crossing is how many prompts hold the files of paths that lead from one file into another.
func (r Reading) crossing(full int, whole, in map[string]int) int {
	prompts, size := 0, 0
	open := map[string]bool{}
	for _, files := range r.Crossing {
		together, split := true, false
		for _, f := range files {
			together = together && in[f] == in[files[0]]
			split = split || whole[f] == 0
		}
		if len(files) < 2 || split || together {
			continue
		}
		added := func() (n int) {
			for _, f := range files {
				if !open[f] {
					n += whole[f]
				}
			}
			return n
		}
		if n := added(); n > 0 && len(open) > 0 && size+n > full {
			prompts, size = prompts+1, 0
			clear(open)
		}
		n := added()
		if !r.Rules && n > full {
			continue
		}
		size += n
		for _, f := range files {
			open[f] = true
		}
	}
	if len(open) > 0 {
		prompts++
	}
	return prompts
}

// pieces are the characters of the sections that a file is shown as.
func pieces(path, t string, limit int) (all []int) {
	add := func(first, last, total, chars int, open bool) {
		chars += utf8.RuneCountInString(fmt.Sprintf("=== FILE:  (lines %d-%d of %d) ===\n", first, last, total)) + shownChars(path)
		if open {
			chars++
		}
		all = append(all, chars)
	}
	chars, room := utf8.RuneCountInString(t), limit-utf8.RuneCountInString(path)-80
	open := !strings.HasSuffix(t, "\n")
	total := strings.Count(t, "\n")
	if chars < room {
		if open {
			total++
		}
		add(1, total, total, chars, open)
		return all
	}
	if open && t != "" {
		total++
	}
	first, at, part := 1, 0, 0
	for line := range strings.Lines(t) {
		n := utf8.RuneCountInString(line)
		if part > 0 && part+n > room {
			add(first, at, total, part, false)
			first, part = at+1, 0
		}
		at, part = at+1, part+n
	}
	add(first, total, total, part, open)
	return all
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

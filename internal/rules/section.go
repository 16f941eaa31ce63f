package rules

import (
	"regexp"
	"strconv"
	"strings"
)

// section is a piece of a file as a review prompt shows it.
type section struct {
	path        string
	first, last int // lines of the file, 1-based and inclusive, as the header claims
	total       int // lines of the whole file, as the header claims
	text        string
}

// header is the line that begins a section. A path may hold any character but a newline.
var header = regexp.MustCompile(`^=== FILE: (.+) \(lines ([0-9]{1,9})-([0-9]{1,9}) of ([0-9]{1,9})\) ===\r?$`)

const footer = "=== END ==="

// sections finds the file sections of a prompt: a header line, then text up to the next header, the footer or the end.
// A file that holds such lines itself is cut into wrong sections; what is then found under a wrong name quotes nothing
// that stands there, and grounding throws it out.
func sections(prompt string) []section {
	var all []section
	open := false
	for rest := prompt; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		whole := rest[:len(rest)-len(after)]
		rest = after
		if strings.HasPrefix(line, "=== FILE: ") {
			if m := header.FindStringSubmatch(line); m != nil {
				first, _ := strconv.Atoi(m[2]) // at most nine digits
				last, _ := strconv.Atoi(m[3])
				total, _ := strconv.Atoi(m[4])
				all = append(all, section{path: m[1], first: max(first, 1), last: last, total: total})
				open = true
				continue
			}
		}
		if strings.TrimRight(line, "\r") == footer {
			open = false
			continue
		}
		if open {
			s := &all[len(all)-1]
			s.text = prompt[len(prompt)-len(rest)-len(whole)-len(s.text) : len(prompt)-len(rest)]
		}
	}
	return all
}

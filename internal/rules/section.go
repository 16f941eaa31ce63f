package rules

import (
	"encoding/json"
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

// header is the line that begins a section. A path with characters that a line cannot hold is written as a JSON string.
var header = regexp.MustCompile(`^=== FILE: (.+) \(lines ([0-9]{1,9})-([0-9]{1,9}) of ([0-9]{1,9})\) ===\r?$`)

const footer = "=== END ==="

// sections finds the file sections of a prompt: a header line, then text up to the next header, the footer or the end.
// A header says how many lines follow, and so many lines are taken whatever they say: a file cannot hide its code behind
// a footer or a header of its own. A section whose header claims more lines than there are ends with the prompt.
func sections(prompt string) []section {
	var all []section
	open, left := false, 0 // left lines of the open section are still owed by its header
	for rest := prompt; rest != ""; {
		line, after, _ := strings.Cut(rest, "\n")
		whole := rest[:len(rest)-len(after)]
		rest = after
		// A header or footer where one line is still owed is real: counting one too many is a common slip.
		slip := left == 1 && (header.MatchString(line) || strings.TrimRight(line, "\r") == footer)
		if left > 0 && !slip {
			left--
			s := &all[len(all)-1]
			s.text = prompt[len(prompt)-len(rest)-len(whole)-len(s.text) : len(prompt)-len(rest)]
			continue
		}
		left = 0
		if strings.HasPrefix(line, "=== FILE: ") {
			if m := header.FindStringSubmatch(line); m != nil {
				first, _ := strconv.Atoi(m[2]) // at most nine digits
				last, _ := strconv.Atoi(m[3])
				total, _ := strconv.Atoi(m[4])
				all = append(all, section{path: unquoted(m[1]), first: max(first, 1), last: last, total: total})
				open, left = true, max(0, last-max(first, 1)+1)
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

// unquoted reads a path that was written as a JSON string.
func unquoted(path string) string {
	var s string
	if strings.HasPrefix(path, `"`) && json.Unmarshal([]byte(path), &s) == nil {
		return s
	}
	return path
}

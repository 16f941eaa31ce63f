package demo

import (
	"math/rand/v2"
	"strings"
)

// slips are the ways in which Python is written wrongly. Each gives the cell unchanged where it does not apply.
var slips = []func(r *rand.Rand, cell string) string{
	// a bracket is never closed
	func(r *rand.Rand, cell string) string { return without(r, cell, ")") },
	func(r *rand.Rand, cell string) string { return without(r, cell, "]") },
	// a string is never closed
	func(r *rand.Rand, cell string) string { return without(r, cell, `"`) },
	// a block has no colon
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, ":\n", "\n", 1) },
	// a block is not indented
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, "\n    ", "\n", 1) },
	// names that there are not
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, " codebase", " files", 1) },
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, "list(codebase)", "paths", 1) },
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, "llm_batch", "llm_map", 1) },
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, "findings()", "results", 1) },
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, "llm_query(", "llm(", 1) },
	// fields that there are not
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, "f['file']", "f.file", 1) },
	func(_ *rand.Rand, cell string) string { return strings.Replace(cell, "['title']", "['message']", 1) },
	// a path that was made up
	func(_ *rand.Rand, cell string) string {
		return strings.Replace(cell, "list(codebase)[0]", `"main.py"`, 1)
	},
	// the function is forgotten
	func(_ *rand.Rand, cell string) string {
		if !strings.HasPrefix(cell, "def ") {
			return cell
		}
		at := 0
		for rest := cell; ; {
			line, more, ok := strings.Cut(rest, "\n")
			if at > 0 && !strings.HasPrefix(line, " ") {
				return cell[at:]
			}
			if !ok {
				return cell
			}
			at += len(line) + 1
			rest = more
		}
	},
}

// without leaves one of the marks out.
func without(r *rand.Rand, cell, mark string) string {
	n := strings.Count(cell, mark)
	if n == 0 {
		return cell
	}
	at := 0
	for range 1 + r.IntN(n) {
		next := strings.Index(cell[at:], mark)
		at += next + len(mark)
	}
	return cell[:at-len(mark)] + cell[at:]
}

// broken writes a cell wrongly, if there is a way.
func broken(r *rand.Rand, cell string) string {
	for range 20 {
		if out := slips[r.IntN(len(slips))](r, cell); out != cell {
			return out
		}
	}
	return cell
}

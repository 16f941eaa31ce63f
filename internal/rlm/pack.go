package rlm

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/rlm/look"
)

// fairOrder is the order in which files are taken into one call: entry points first, then all others by a hash of their
// path. The reference took the smallest first, which left out just the files that hold most of the code; this order
// knows nothing of size, so every line has the same chance.
func fairOrder(code *codebase.Codebase) []string {
	entries := code.EntryPoints()
	place := func(p string) int {
		if slices.Contains(entries, p) {
			return 0
		}
		return 1
	}
	paths := slices.Clone(code.Paths())
	rank := func(p string) uint64 {
		h := fnv.New64a()
		h.Write([]byte(p))
		return h.Sum64()
	}
	slices.SortStableFunc(paths, func(a, b string) int {
		return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(rank(a), rank(b)), strings.Compare(a, b))
	})
	return paths
}

// pack fills one prompt with whole files in fair order; the last one may be cut at a line. It returns the files that
// were left out, in order; a cut one is among them, with what is missing.
func pack(code *codebase.Codebase, limit int) (prompt string, left []string) {
	var b strings.Builder
	full := false
	for _, path := range fairOrder(code) {
		text, _ := code.Text(path)
		f, _ := code.File(path)
		if full {
			left = append(left, path)
			continue
		}
		if room := limit - b.Len() - len(path) - 64; len(text) > room {
			full = true
			kept := text[:max(0, strings.LastIndexByte(text[:max(0, room)], '\n')+1)]
			lines := strings.Count(kept, "\n")
			if lines > 0 {
				section(&b, path, lines, f.Lines, kept)
				left = append(left, fmt.Sprintf("%s (from line %d)", path, lines+1))
			} else {
				left = append(left, path)
			}
			continue
		}
		section(&b, path, f.Lines, f.Lines, text)
	}
	b.WriteString("=== END ===\n")
	return b.String(), left
}

func section(b *strings.Builder, path string, last, total int, text string) {
	b.WriteString(header(path, 1, last, total) + text)
	if !strings.HasSuffix(text, "\n") {
		b.WriteByte('\n')
	}
}

// header is the line before a file's text in a prompt.
func header(path string, from, to, total int) string {
	return fmt.Sprintf("=== FILE: %s (lines %d-%d of %d) ===\n", look.Name(path), from, to, total)
}

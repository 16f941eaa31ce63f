package rlm

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/codebase"
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

// wholePrompt fills one prompt with whole files in fair order; the last one may be cut at a line. It returns the files that
// were left out, in order; a cut one is among them, with what is missing.
func wholePrompt(code *codebase.Codebase, limit int) (prompt string, left []string) {
	var b strings.Builder
	full := false
	for _, path := range fairOrder(code) {
		f, _ := code.File(path)
		room := limit - b.Len() - len(endOfCode)
		if full || room < 500 {
			full = true
			left = append(left, path)
			continue
		}
		parts, err := sections(code, lines{path, 1, f.Lines}, room)
		if err != nil {
			full = true
			left = append(left, path)
			continue
		}
		if len(parts) > 0 {
			b.WriteString(parts[0].text)
		}
		if len(parts) > 1 {
			full = true
			left = append(left, fmt.Sprintf("%s (from line %d)", path, parts[0].to+1))
		}
	}
	b.WriteString(endOfCode)
	return b.String(), left
}

package doc

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/deeprepo/deeprepo/internal/termtext"
)

// MaxText bounds one program, prompt or reply, in bytes.
const MaxText = 256 << 10

// maxNames bounds lists of names and of remarks.
const maxNames = 2000

// Clip shortens a text to at most n bytes.
func Clip(s string, n int) string { return termtext.CutWith(s, n, "…") }

// Plural is a number of things.
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// List turns no list into an empty one, which JSON writes as [].
func List[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// Some is a List, cut at 2,000 entries.
func Some[T any](list []T) []T { return List(list[:min(len(list), maxNames)]) }

// SomeCounts are counts by name, never null, of which the first 2,000 names are kept.
func SomeCounts(counts map[string]int) map[string]int {
	out := map[string]int{}
	for _, name := range Some(slices.Sorted(maps.Keys(counts))) {
		out[name] = counts[name]
	}
	return out
}

// TextOf is a JSON string's text, and anything else as it stands.
func TextOf(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	if string(raw) == "null" {
		return ""
	}
	return string(raw)
}

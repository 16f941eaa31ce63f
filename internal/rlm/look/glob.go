package look

import (
	"fmt"
	"path"
	"strings"
)

// Glob is a test of paths. A pattern without a slash is held against the name, one with a slash against the whole path;
// ** stands for any directories. A pattern without wildcards is a path, or a directory with all below it. "" takes all, and a
// path takes itself, also where it reads as a pattern ("[id].tsx").
func Glob(pattern string) (func(string) bool, error) {
	pattern = strings.TrimPrefix(pattern, "./")
	if pattern == "" {
		return func(string) bool { return true }, nil
	}
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("the glob has more than %d characters", maxPattern)
	}
	if !strings.ContainsAny(pattern, `*?[`) {
		dir := strings.TrimSuffix(pattern, "/")
		return func(p string) bool {
			return p == dir || strings.HasPrefix(p, dir+"/") || !strings.Contains(dir, "/") && path.Base(p) == dir
		}, nil
	}
	parts := strings.Split(pattern, "/")
	for _, part := range parts {
		if _, err := path.Match(part, ""); err != nil {
			return nil, fmt.Errorf("bad glob %q: %w", pattern, err)
		}
	}
	if len(parts) == 1 {
		return func(p string) bool { ok, _ := path.Match(pattern, path.Base(p)); return ok || p == pattern }, nil
	}
	return func(p string) bool { return p == pattern || matches(parts, strings.Split(p, "/")) }, nil
}

// matches holds the parts of a pattern against those of a path, in time proportional to the product of their numbers.
func matches(pattern, parts []string) bool {
	can := make([]bool, len(parts)+1) // can[k]: the pattern so far matches the first k parts
	can[0] = true
	for _, p := range pattern {
		next := make([]bool, len(parts)+1)
		if p == "**" {
			reached := false
			for k := range can {
				reached = reached || can[k]
				next[k] = reached
			}
		} else {
			for k, part := range parts {
				if can[k] {
					ok, _ := path.Match(p, part)
					next[k+1] = ok
				}
			}
		}
		can = next
	}
	return can[len(parts)]
}

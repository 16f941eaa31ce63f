// Package growtest holds what the tests of every language's templates check.
package growtest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env/grow"
)

// BytesStay holds projects against digests of before, each in a line: name of the template, seed, number of files, digest.
// Projects are part of saved environments and must not change: another text wants another template.
func BytesStay(t *testing.T, templates []grow.Template, digests string) {
	t.Helper()
	byName := map[string]grow.Template{}
	for _, template := range templates {
		byName[template.Name] = template
	}
	held := map[string]bool{}
	for line := range strings.Lines(digests) {
		var name, want string
		var seed int64
		var files int
		if _, err := fmt.Sscan(line, &name, &seed, &files, &want); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		template, known := byName[name]
		if !known {
			t.Errorf("no template is called %q", name)
			continue
		}
		_, texts, err := grow.Grow(template, seed, files)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.New()
		for _, path := range slices.Sorted(maps.Keys(texts)) {
			fmt.Fprintf(sum, "%s\x00%s\x00", path, texts[path])
		}
		if got := fmt.Sprintf("%x", sum.Sum(nil)[:16]); got != want {
			t.Errorf("%s, seed %d, %d files: the digest is %s, was %s", name, seed, files, got, want)
		}
		held[name] = true
	}
	if len(held) != len(byName) {
		t.Errorf("there are digests for %d of %d templates", len(held), len(byName))
	}
}

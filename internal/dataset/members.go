package dataset

import (
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/deeprepo/deeprepo/internal/bounded"
)

// member reads a file of a directory form, whose name is within root, and adds it to the checksum. What all members
// hold together is bounded, and so is each.
func (in *input) member(root *os.Root, name string) (string, error) {
	f, err := bounded.OpenIn(root, name, 0)
	if err != nil {
		return "", err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, min(in.bytes, maxFile)+1))
	if err != nil {
		return "", err
	}
	if err := in.spend(len(data)); err != nil || len(data) > maxFile {
		return "", fmt.Errorf("%s is too large", name)
	}
	if in.members == nil {
		in.members = map[string][]byte{}
	}
	sum := sha256.Sum256(data)
	in.members[name] = sum[:]
	return string(data), nil
}

// splitOf returns which of the splits a path names, by its last element that does, "" when none does: test for
// "APPS/test/0000" and for "apps_test.jsonl".
func splitOf(path string, splits []string) string {
	for _, part := range slices.Backward(strings.Split(filepath.ToSlash(path), "/")) {
		words := strings.FieldsFunc(strings.ToLower(part), func(c rune) bool { return c < 'a' || c > 'z' })
		for _, split := range splits {
			if slices.Contains(words, split) {
				return split
			}
		}
	}
	return ""
}

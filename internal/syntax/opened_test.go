package syntax

import (
	"os"
	"path/filepath"
	"testing"
)

// OpenForTest opens a parser that its test closes. The machine code comes from the user's cache, as runtest.OpenParser has it:
// what happens without a cache is asked by Example, and with a bad one by TestCache.
func OpenForTest(t testing.TB, c Config) *Parser {
	t.Helper()
	if base, err := os.UserCacheDir(); err == nil {
		c.CacheDir = filepath.Join(base, "deeprepo", "syntax")
	}
	p, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

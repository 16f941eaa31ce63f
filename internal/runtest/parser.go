package runtest

import (
	"context"
	"os"
	"path/filepath"
	"sync"

	"github.com/deeprepo/deeprepo/internal/syntax"
)

// OpenParser returns the test program's only parser: compiling the grammars takes a second, so their machine code is kept in the user's
// cache. Nobody closes it.
var OpenParser = sync.OnceValues(func() (*syntax.Parser, error) {
	c := syntax.Config{}
	if base, err := os.UserCacheDir(); err == nil {
		c.CacheDir = filepath.Join(base, "deeprepo", "syntax")
	}
	return syntax.Open(context.Background(), c)
})

// Parser is OpenParser's, for a test, a benchmark or a check of rapid's.
func Parser(t interface {
	Helper()
	Fatal(...any)
}) *syntax.Parser {
	t.Helper()
	p, err := OpenParser()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

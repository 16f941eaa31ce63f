//go:build unix

package llm

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// TestACacheEntryThatIsAPipe puts a named pipe in the place of an entry: it counts as none.
func TestACacheEntryThatIsAPipe(t *testing.T) {
	c, err := OpenCache(CacheConfig{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	const hash = "0123456789abcdef"
	if err := os.MkdirAll(filepath.Dir(c.dir.File(hash+".json")), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(c.dir.File(hash+".json"), 0o600); err != nil {
		t.Skip("no named pipes here:", err)
	}
	found := make(chan bool, 1)
	go func() {
		_, ok := c.get(t.Context(), hash)
		found <- ok
	}()
	select {
	case ok := <-found:
		if ok {
			t.Error("a pipe is a reply")
		}
	case <-time.After(20 * time.Second):
		t.Fatal("it waits for the pipe's writer")
	}
}

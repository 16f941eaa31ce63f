//go:build unix

package cli

import (
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/spf13/cobra"
)

// TestPipesAreRefused gives each input that a flag names, or that is found by its name, as a named pipe without a writer, and as
// a device without an end.
func TestPipesAreRefused(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), configName)
	if err := syscall.Mkfifo(pipe, 0o644); err != nil {
		t.Skip("no named pipes here:", err)
	}
	for _, name := range []string{pipe, "/dev/zero"} {
		for what, read := range map[string]func() error{
			"--config":  func() error { _, err := readConfigFile(name, named); return err },
			"--prompt":  func() error { _, err := preset("", name); return err },
			"bench":     func() error { _, err := readSpec(name); return err },
			"a program": func() error { _, err := readSource(&cobra.Command{}, name); return err },
		} {
			done := make(chan error, 1)
			go func() { done <- read() }()
			select {
			case err := <-done:
				var kind *bounded.KindError
				if !errors.As(err, &kind) || !strings.Contains(hint.Of(err), "<(COMMAND)") {
					t.Errorf("%s %s: %v, hint %q", what, name, err, hint.Of(err))
				}
			case <-time.After(20 * time.Second):
				t.Fatalf("%s %s has no end", what, name)
			}
		}
	}
}

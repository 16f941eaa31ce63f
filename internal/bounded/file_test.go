//go:build unix

package bounded_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/hint"
)

func TestOnlyRegularFilesAreOpened(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	if err := os.WriteFile(at("file"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(at("pipe"), 0o644); err != nil {
		t.Skip("no named pipes here:", err)
	}
	for link, to := range map[string]string{"link": "file", "piped": "pipe"} {
		if err := os.Symlink(to, at(link)); err != nil {
			t.Fatal(err)
		}
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for _, tt := range []struct{ name, kind string }{
		{at("file"), ""}, {at("link"), ""}, {at("pipe"), "a named pipe"}, {at("piped"), "a named pipe"}, {dir, "a directory"},
		{os.DevNull, "a device"}, {"/dev/zero", "a device"},
	} {
		text, err := soon(t, func() ([]byte, error) { return bounded.ReadFile(tt.name, 4) })
		var kind *bounded.KindError
		var path *fs.PathError
		switch {
		case tt.kind == "" && (err != nil || string(text) != "text"):
			t.Errorf("%s: %q, %v", tt.name, text, err)
		case tt.kind != "" && (!errors.As(err, &kind) || kind.Kind != tt.kind || !errors.As(err, &path) || hint.Of(err) == ""):
			t.Errorf("%s: %v, hint %q", tt.name, err, hint.Of(err))
		}
		if filepath.Dir(tt.name) != dir {
			continue
		}
		in, inErr := soon(t, func() ([]byte, error) { return bounded.ReadFileIn(root, filepath.Base(tt.name), 4) })
		if string(in) != string(text) || errors.As(inErr, &kind) != errors.As(err, &kind) {
			t.Errorf("%s below a root: %q, %v", tt.name, in, inErr)
		}
	}
}

// soon fails a test that would wait for a pipe's writer.
func soon(t *testing.T, read func() ([]byte, error)) ([]byte, error) {
	t.Helper()
	type answer struct {
		text []byte
		err  error
	}
	got := make(chan answer, 1)
	go func() {
		text, err := read()
		got <- answer{text, err}
	}()
	select {
	case a := <-got:
		return a.text, a.err
	case <-time.After(20 * time.Second):
		t.Fatal("it waits")
		return nil, nil
	}
}

func TestSizes(t *testing.T) {
	name := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(name, []byte("12345"), 0o644); err != nil {
		t.Fatal(err)
	}
	var size *bounded.SizeError
	if _, err := bounded.ReadFile(name, 4); !errors.As(err, &size) || size.Most != 4 {
		t.Errorf("5 bytes of at most 4: %v", err)
	}
	if text, err := bounded.ReadFile(name, 5); err != nil || string(text) != "12345" {
		t.Errorf("5 bytes of at most 5: %q, %v", text, err)
	}
	f, err := bounded.Open(name, 0)
	if err != nil {
		t.Fatal("no limit:", err)
	}
	f.Close()
	if _, err := bounded.Open(name+"?", 0); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	// A file of /proc says that it has no bytes.
	if _, err := os.Stat("/proc/self/status"); err == nil {
		if _, err := bounded.ReadFile("/proc/self/status", 3); !errors.As(err, &size) {
			t.Errorf("a file that is larger than it says: %v", err)
		}
	}
}

func TestOpenOrCreate(t *testing.T) {
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for range 2 { // made, then found
		f, err := bounded.OpenOrCreate(root, "new")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("x"); err != nil {
			t.Error(err)
		}
		f.Close()
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o644); err != nil {
		t.Skip("no named pipes here:", err)
	}
	var kind *bounded.KindError
	if _, err := bounded.OpenOrCreate(root, "pipe"); !errors.As(err, &kind) {
		t.Errorf("a pipe: %v", err)
	}
}

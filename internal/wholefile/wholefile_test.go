package wholefile

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestWrite(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	text := func(s string, err error) func(*os.File) error {
		return func(f *os.File) error {
			_, failed := f.WriteString(s)
			return errors.Join(failed, err)
		}
	}
	broken := errors.New("broken")
	for _, tt := range []struct {
		text string
		err  error
		want string
	}{{"old", nil, "old"}, {"half", broken, "old"}, {"new", nil, "new"}} {
		if err := Write(path, text(tt.text, tt.err)); !errors.Is(err, tt.err) {
			t.Errorf("%q: %v", tt.text, err)
		}
		if got, err := os.ReadFile(path); string(got) != tt.want || err != nil {
			t.Errorf("after %q the file holds %q, %v", tt.text, got, err)
		}
	}
	if files, err := os.ReadDir(dir); len(files) != 1 || err != nil {
		t.Errorf("%d files are left, %v", len(files), err)
	}
	if err := Write(filepath.Join(dir, "none", "a"), text("", nil)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("in a directory that is not there: %v", err)
	}
}

package cli

import (
	"path/filepath"
	"testing"
)

func TestRooted(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(filepath.Dir(dir))
	name := filepath.Base(dir)
	for from, want := range map[string]string{"": "", "orchestrator": "orchestrator", "nowhere": "nowhere", name: dir,
		name + ":" + name: dir + ":" + dir, name + ":nowhere": dir + ":nowhere"} {
		if got, err := rooted(from); err != nil || got != want {
			t.Errorf("%q becomes %q, %v; want %q", from, got, err, want)
		}
	}
}

package codebase

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestHistory reads what led to a commit, and nothing that came after it.
func TestHistory(t *testing.T) {
	dir, first, second := history(t)
	for commit, want := range map[string]int{first: 1, second: 2} {
		code, err := Load(t.Context(), dir, Options{Commit: commit})
		if err != nil {
			t.Fatal(err)
		}
		log, err := code.History(t.Context(), 10)
		if err != nil || len(log) != want || log[0].Hash != commit {
			t.Fatalf("%v, %d commits, want %d: %+v", err, len(log), want, log)
		}
		for _, c := range log {
			if c.Message == "" || len(c.Files) == 0 || c.At.IsZero() {
				t.Errorf("%+v", c)
			}
		}
		if log, err := code.History(t.Context(), 1); err != nil || len(log) != 1 {
			t.Errorf("%v, %d commits, want one", err, len(log))
		}
	}
	if log, err := FromMap(map[string]string{"a.py": ""}).History(t.Context(), 10); err != nil || log != nil {
		t.Errorf("a codebase without a history has %v, %v", log, err)
	}
}

// TestReadCommit takes headers from paths that look like some.
func TestReadCommit(t *testing.T) {
	hash := strings.Repeat("a", 40)
	got, ok := readCommit([]byte("\x01" + hash + " 86400 Mend it\n\nAt last.\n"))
	if d := cmp.Diff(Commit{Hash: hash, At: time.Unix(86400, 0).UTC(), Message: "Mend it\n\nAt last."}, got); d != "" || !ok {
		t.Error(ok, d)
	}
	for _, none := range []string{"", "\x01", "src/a.py", hash + " 86400 x", "\x01" + hash + " x y", "\x01" + hash + " -1 y", "\x01zz 1 y"} {
		if c, ok := readCommit([]byte(none)); ok {
			t.Errorf("%q is %+v", none, c)
		}
	}
	if c, _ := readCommit([]byte("\x01" + hash + " 1 " + strings.Repeat("x", 1<<20))); len(c.Message) > maxMessage {
		t.Errorf("a message of %d bytes", len(c.Message))
	}
}

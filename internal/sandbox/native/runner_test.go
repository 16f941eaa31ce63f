package native_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
)

// TestRunner runs programs in a directory that they can read and not change.
func TestRunner(t *testing.T) {
	if _, err := exec.LookPath("bwrap"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no bubblewrap here: nothing is run in a directory")
	}
	r, err := native.OpenRunner(t.Context(), native.Config{Workers: 2})
	if err != nil {
		t.Skip("programs cannot be jailed here: ", err)
	}
	if !strings.HasPrefix(r.Version(), "3.") {
		t.Errorf("version %q", r.Version())
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "lib.py"), []byte("answer = 42\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		source, report, output string
		exit                   int
		late                   bool
	}{
		"the directory": {"import lib, os; os.write(3, str((os.getcwd(), lib.answer)).encode())", "('/box/tree', 42)", "", 0, false},
		"arguments":     {"import os, sys; os.write(3, str(sys.argv[1:]).encode())", "['-x', 'a; b $(c)']", "", 0, false},
		"no writing":    {"open('new', 'w')", "", "Read-only file system", 1, false},
		"output":        {"print('x' * 9000, 'the end'); raise SystemExit(3)", "", "the end\n", 3, false},
		"too long":      {"import os; os.write(3, b'begun')\nwhile True: pass", "begun", "", -1, true},
		"memory":        {"x = bytearray(1 << 30)", "", "MemoryError", 1, false},
		"its limits":    {"import resource as r\nr.setrlimit(r.RLIMIT_AS, (-1, -1))", "", "not allowed to raise maximum limit", 1, false},
		"no process":    {"import os; os.fork()", "", "PermissionError", 1, false},
		"no network":    {"import socket; socket.create_connection(('192.0.2.1', 80), 3)", "", "unreachable", 1, false},
		"no devices":    {"import os; os.chmod('/dev/null', 0o666)", "", "Read-only file system", 1, false},
		"nor secrets":   {"import os; os.write(3, str(os.path.exists(" + quoted(dir) + ") or os.path.exists('/etc/passwd')).encode())", "False", "", 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wall := 30 * time.Second
			if c.late {
				wall = time.Second
			}
			got, err := r.Run(context.Background(), native.Job{Dir: dir, Source: c.source, Args: []string{"-x", "a; b $(c)"},
				Limits: sandbox.Limits{Wall: wall, MemoryBytes: 256 << 20, OutputBytes: 4000}})
			if err != nil || got.Exit != c.exit || got.Late != c.late || string(got.Report) != c.report || got.Wall <= 0 ||
				!strings.Contains(string(got.Output), c.output) || len(got.Output) > 4000 {
				t.Errorf("%v %+v %s", err, got, got.Output)
			}
		})
	}
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	if got, err := r.Run(ctx, native.Job{Dir: dir, Source: "while True: pass"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v %+v", err, got)
	}
}

func quoted(s string) string { return "'" + s + "'" }

package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/trace"
)

// attack is a program of testdata/attacks with the expectation in its head:
//
//	# attack: what it tries
//	# expect: alternatives separated by ";": "ok" (says so), "quiet", "error Type|Type", "stop reason|reason"
//	# memory: MiB (optional)
//	# aftermath: broken (optional): its own session may be useless afterwards
type attack struct {
	name, source, what string
	expect             []string
	memory             int64
	broken             bool
}

func loadAttacks(t *testing.T) []attack {
	t.Helper()
	paths, err := filepath.Glob("testdata/attacks/*.py")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d attacks, %v", len(paths), err)
	}
	var all []attack
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		a := attack{name: strings.TrimSuffix(filepath.Base(path), ".py"), source: string(b), memory: 256}
		for line := range strings.Lines(a.source) {
			key, value, _ := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "#")), ": ")
			if !strings.HasPrefix(line, "#") {
				break
			}
			switch key {
			case "attack":
				a.what = value
			case "expect":
				for alt := range strings.SplitSeq(value, ";") {
					a.expect = append(a.expect, strings.TrimSpace(alt))
				}
			case "memory":
				if a.memory, err = strconv.ParseInt(value, 10, 64); err != nil {
					t.Fatalf("%s: %v", path, err)
				}
			case "aftermath":
				a.broken = value == "broken"
			default:
				t.Fatalf("%s: unknown head line %q", path, line)
			}
		}
		if a.what == "" || len(a.expect) == 0 {
			t.Fatalf("%s: no expectation", path)
		}
		all = append(all, a)
	}
	return all
}

// matches tells whether a result is one of the expected ones.
func (a attack) matches(r Result) bool {
	for _, alt := range a.expect {
		word, list, _ := strings.Cut(alt, " ")
		switch word {
		case "ok":
			if r.Error == nil && r.Stop == "" && strings.HasSuffix(strings.TrimSpace(r.Output), "safe") {
				return true
			}
		case "quiet":
			if r.Error == nil && r.Stop == "" && r.Output == "" {
				return true
			}
		case "error":
			if r.Error != nil && r.Stop == "" || r.Error != nil && r.Stop == trace.CellMemory {
				if slices.Contains(strings.Split(list, "|"), r.Error.Type) {
					return true
				}
			}
		case "stop":
			if slices.Contains(strings.Split(list, "|"), string(r.Stop)) {
				return true
			}
		}
	}
	return false
}

const secret = "HOSTENV-9b1d7c"

// TestAttacks runs every program of testdata/attacks. None may reach a file, the network, a process, the environment
// or memory of the host, each must end within 100 ms of its limit, and neither its session nor the one beside it may
// lose what they held.
func TestAttacks(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "secret.txt")
	if err := os.WriteFile(file, []byte(secret), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("DEEPREPO_TEST_SECRET", secret)
	var connections atomic.Int32
	port := listen(t, &connections)

	e := open(t, Config{})
	beside := session(t, e, SessionConfig{})
	run(t, beside, "kept = 'beside'")
	for _, a := range loadAttacks(t) {
		t.Run(a.name, func(t *testing.T) {
			const slack = 100 * time.Millisecond
			var wrong string
			// A busy machine can be late; it is not late every time for nothing, however long the limit.
			for try := range 8 {
				limit := time.Duration(1+try) * 250 * time.Millisecond
				wrong = ""
				s := session(t, e, SessionConfig{Limits: Limits{Wall: limit, MemoryBytes: a.memory << 20, Steps: 1 << 40, OutputBytes: 1 << 16},
					Host: echo})
				run(t, s, fmt.Sprintf("SECRET_PATH = %q\nSECRET_WORD = 'HOSTENV'+'-9b1d7c'\nHOST_PORT = %d\nkept = 'mine'", filepath.ToSlash(file),
					port))
				began := time.Now()
				r := run(t, s, a.source)
				if over := time.Since(began) - r.HostWall - limit; over >= slack {
					wrong = fmt.Sprintf("ended %v after its limit", over)
				}
				if strings.Contains(r.Output, "BREACH") || strings.Contains(r.Output, secret) {
					t.Fatalf("reached the host: %s", r.Output)
				}
				if !a.matches(r) {
					wrong = fmt.Sprintf("%s: expected %q, got stop %q, error %+v, output %.300q", a.what, a.expect, r.Stop, r.Error, r.Output)
					if r.Stop != trace.CellWall && r.Stop != trace.CellKilled { // it was not the time
						t.Fatal(wrong)
					}
				}
				if len(r.Output) > 1<<16 {
					t.Errorf("output of %d bytes is over the cap", len(r.Output))
				}
				if r.MemoryBytes > a.memory<<20 {
					t.Errorf("memory of %d bytes is over the cap", r.MemoryBytes)
				}
				if !a.broken {
					if after := run(t, s, "print(kept, 6 * 7)"); after.Output != "mine 42\n" {
						t.Errorf("session afterwards: %q %+v", after.Output, after.Error)
					}
				}
				if after := run(t, beside, "print(kept)"); after.Output != "beside\n" {
					t.Errorf("the session beside it: %q %+v", after.Output, after.Error)
				}
				s.Close()
				if wrong == "" {
					return
				}
			}
			t.Error(wrong)
		})
	}
	if n := connections.Load(); n > 0 {
		t.Errorf("%d connections were made", n)
	}
	names, err := os.ReadDir(dir)
	if err != nil || len(names) != 1 {
		t.Errorf("the host's folder was changed: %v %v", names, err)
	}
	if b, err := os.ReadFile(file); err != nil || string(b) != secret {
		t.Errorf("the host's file was changed: %q %v", b, err)
	}
}

func echo(_ context.Context, name string, payload []byte) ([]byte, error) {
	switch name {
	case "echo":
		return payload, nil
	case "big":
		return bytes.Repeat([]byte("x"), 80<<20), nil
	}
	return nil, errors.New("unknown name")
}

func listen(t *testing.T, connections *atomic.Int32) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			connections.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() { l.Close(); <-done })
	return l.Addr().(*net.TCPAddr).Port
}

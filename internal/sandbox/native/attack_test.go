package native_test

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/rogpeppe/go-internal/txtar"
)

// victim is a sandbox of one jail a side, so that what an attack leaves there meets the next program.
type victim struct {
	*native.Box
	canary  sandbox.Program
	first   string          // what the canary saw before any attack
	numbers map[string]bool // random ones that programs drew
}

func newVictim(t *testing.T) (*victim, []txtar.File) {
	t.Helper()
	box(t)
	b, err := native.Open(t.Context(), native.Config{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	archive, err := txtar.ParseFile("testdata/attacks.txtar")
	if err != nil {
		t.Fatal(err)
	}
	v := &victim{Box: b, canary: sandbox.Program{Code: string(archive.Files[0].Data)}, numbers: map[string]bool{}}
	first := judged(t, b, v.canary)
	if first.Verdict != sandbox.Passed {
		t.Fatalf("%+v %+v", first, first.Error)
	}
	v.first = first.Stdout
	return v, archive.Files[1:]
}

// unharmed checks that the next programs find what the first one found, and are told apart.
func (v *victim) unharmed(t *testing.T) {
	t.Helper()
	if again := judged(t, v, v.canary); again.Verdict != sandbox.Passed || again.Stdout != v.first {
		t.Errorf("the next program finds %s %+v %s", again.Verdict, again.Error, differing(v.first, again.Stdout))
	}
	for code, verdict := range map[string]sandbox.Verdict{"def f(x): return x + 1": sandbox.Passed, "def f(x): return x": sandbox.Failed} {
		p := sandbox.Program{Code: code, Entry: "f", Tests: []sandbox.Test{{Name: "f", Code: "assert f(1) == 2"}}}
		if j := judged(t, v, p); j.Verdict != verdict {
			t.Errorf("after it, %q is judged %s: %+v", code, j.Verdict, j.Error)
		}
	}
	one := judged(t, v, sandbox.Program{Code: "import random; print(random.random())"})
	if one.Verdict != sandbox.Passed || v.numbers[one.Stdout] {
		t.Errorf("%s, and the random number %s was there before", one.Verdict, one.Stdout)
	}
	v.numbers[one.Stdout] = true
}

// TestAttacks has programs attack the jail, the zygote and the programs after them, all in one jail: none gets anything.
func TestAttacks(t *testing.T) {
	v, attacks := newVictim(t)
	if len(attacks) < 40 {
		t.Fatalf("%d attacks", len(attacks))
	}
	for _, f := range attacks {
		name, code := strings.TrimSuffix(f.Name, ".py"), string(f.Data)
		want := "passed"
		if rest, ok := strings.CutPrefix(code, "# ends: "); ok {
			want, _, _ = strings.Cut(rest, "\n")
		}
		t.Run(name, func(t *testing.T) {
			j := judged(t, v, sandbox.Program{Code: code, Limits: sandbox.Limits{Wall: 4 * time.Second, MemoryBytes: 256 << 20}})
			if j.Stdout != "" || want != "any" && string(j.Verdict) != want || j.Verdict == sandbox.InfraError {
				t.Errorf("%s %+v, it got %q %q", j.Verdict, j.Error, j.Stdout, cut(j.Stderr))
			}
			v.unharmed(t)
		})
	}
}

// TestEmbeddedAttacks runs the attacks on the embedded interpreter here. Of what they look for some is there, in this jail;
// but they reach nobody outside, see no secret, end in time, and leave nothing.
func TestEmbeddedAttacks(t *testing.T) {
	v, _ := newVictim(t)
	local, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer local.Close()
	var called atomic.Bool
	go func() {
		if _, err := local.Accept(); err == nil {
			called.Store(true)
		}
	}()
	_, port, _ := net.SplitHostPort(local.Addr().String())
	const secret = "HOSTENV-9b1d7c"
	t.Setenv("DEEPREPO_TEST_SECRET", secret)
	file := filepath.Join(t.TempDir(), "secret.txt")
	if err := os.WriteFile(file, []byte(secret), 0o644); err != nil {
		t.Fatal(err)
	}
	given := "SECRET_PATH = " + strconv.Quote(file) + "\nSECRET_WORD = 'HOSTENV' + '-9b1d7c'\nHOST_PORT = " + port
	paths, err := filepath.Glob("../testdata/attacks/*.py")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d attacks, %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			raw, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			j := judged(t, v, sandbox.Program{Setup: given, Code: string(raw), Limits: sandbox.Limits{Wall: time.Second, MemoryBytes: 256 << 20}})
			if j.Verdict == sandbox.InfraError || j.Wall > 10*time.Second || strings.Contains(j.Stdout+j.Stderr, secret) {
				t.Errorf("%s after %v, %+v: %q", j.Verdict, j.Wall, j.Error, cut(j.Stdout))
			}
			v.unharmed(t)
		})
	}
	if called.Load() {
		t.Error("a program reached this one")
	}
}

func cut(s string) string { return s[:min(len(s), 600)] }

// differing are the lines of b that are not those of a.
func differing(a, b string) string {
	var out []string
	lines := strings.Split(a, "\n")
	for i, line := range strings.Split(b, "\n") {
		if i >= len(lines) || line != lines[i] {
			out = append(out, line)
		}
	}
	return cut(strings.Join(out, "\n"))
}

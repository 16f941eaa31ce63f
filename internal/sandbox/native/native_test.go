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

	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/rogpeppe/go-internal/txtar"
)

var engine *sandbox.Engine

func TestMain(m *testing.M) { runtest.Main(m, func(e *sandbox.Engine) { engine = e }) }

// box is the native sandbox, where there can be one.
func box(t testing.TB) *native.Box {
	t.Helper()
	if _, err := exec.LookPath("bwrap"); err != nil || runtime.GOOS != "linux" {
		t.Skip("no bubblewrap here: the native sandbox is not tested")
	}
	if out, err := exec.Command("bwrap", "--unshare-all", "--ro-bind", "/", "/", "true").CombinedOutput(); err != nil {
		t.Skipf("programs cannot be jailed here: %v %s", err, out)
	}
	b, err := native.Open(t.Context(), native.Config{})
	var known *native.Error
	if errors.As(err, &known) && strings.HasPrefix(known.Hint(), "it must be CPython") {
		t.Skip("this machine's Python is too old: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

type executor interface {
	Exec(context.Context, sandbox.Program) (sandbox.Judgement, error)
}

func judged(t testing.TB, b executor, p sandbox.Program) sandbox.Judgement {
	t.Helper()
	j, err := b.Exec(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return j
}

// programs are those of package sandbox, cheats or honests, with their tests.
func programs(t testing.TB, kind string) map[string]sandbox.Program {
	t.Helper()
	archive, err := txtar.ParseFile("../testdata/tests.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tests := map[string]string{}
	for _, f := range archive.Files {
		tests[f.Name] = string(f.Data)
	}
	paths, err := filepath.Glob("../testdata/" + kind + "s/*.py")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no programs: %v", err)
	}
	all := map[string]sandbox.Program{}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		code, test, own := strings.Cut(string(raw), "\n# tests\n")
		p := sandbox.Program{Code: code, Entry: "solve", Limits: sandbox.Limits{Wall: 2 * time.Second, Steps: 3_000_000, MemoryBytes: 96 << 20}}
		if !own {
			test = tests["number"]
		}
		for line := range strings.Lines(code) {
			key, value, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(line, "#")), ": ")
			if !ok || !strings.HasPrefix(line, "#") {
				break
			}
			switch {
			case key == "test" && !own:
				test = tests[value]
			case key == "names":
				p.Names = strings.Fields(value)
			}
		}
		p.Tests = []sandbox.Test{{Name: filepath.Base(path), Code: test}}
		all[strings.TrimSuffix(filepath.Base(path), ".py")] = p
	}
	return all
}

// TestConformance has both sandboxes judge the same cheats: none passes either, and the verdicts are the same, but for
// cheats that one of them, being slower, does not see to their end.
func TestConformance(t *testing.T) {
	b := box(t)
	for name, p := range programs(t, "cheat") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n, w := judged(t, b, p), judged(t, engine, p)
			same := n.Verdict == w.Verdict || w.Verdict == sandbox.Timeout || n.Verdict == sandbox.Timeout
			if n.Verdict == sandbox.Passed || n.Verdict == sandbox.InfraError || !same {
				t.Errorf("native: %s %+v %s\nembedded: %s %+v", n.Verdict, n.Error, n.Stderr, w.Verdict, w.Error)
			}
		})
	}
}

// TestHonest has honest programs pass here, too.
func TestHonest(t *testing.T) {
	b := box(t)
	for name, p := range programs(t, "honest") {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p.Limits.Wall = 30 * time.Second // here time is real
			j := judged(t, b, p)
			if name == "match" && j.Verdict == sandbox.SyntaxError {
				t.Skip("this machine's Python is older than the embedded one, whose syntax the program uses")
			}
			if j.Error != nil && j.Error.Message == "the candidate raised StopIteration" {
				t.Skip("this machine's Python is older than 3.12 and does not tell what caught a StopIteration")
			}
			if j.Verdict != sandbox.Passed {
				t.Errorf("%s: %+v %s", j.Verdict, j.Error, j.Stderr)
			}
		})
	}
}

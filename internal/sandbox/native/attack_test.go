package native_test

import (
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/sandbox/native"
	"github.com/rogpeppe/go-internal/txtar"
)

// TestAttacks has programs attack the jail, the zygote and the programs after them, all in one jail: none gets anything,
// the next program finds what the first one found, and right and wrong programs are still told apart.
func TestAttacks(t *testing.T) {
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
	canary := sandbox.Program{Code: string(archive.Files[0].Data)}
	first := judged(t, b, canary)
	if first.Verdict != sandbox.Passed || len(archive.Files) < 41 {
		t.Fatalf("%d attacks; %+v %+v", len(archive.Files)-1, first, first.Error)
	}
	numbers := map[string]bool{}
	for _, f := range archive.Files[1:] {
		name, code := strings.TrimSuffix(f.Name, ".py"), string(f.Data)
		want := "passed"
		if rest, ok := strings.CutPrefix(code, "# ends: "); ok {
			want, _, _ = strings.Cut(rest, "\n")
		}
		t.Run(name, func(t *testing.T) {
			j := judged(t, b, sandbox.Program{Code: code, Limits: sandbox.Limits{Wall: 4 * time.Second, MemoryBytes: 256 << 20}})
			if j.Stdout != "" || want != "any" && string(j.Verdict) != want || j.Verdict == sandbox.InfraError {
				t.Errorf("%s %+v, it got %q %q", j.Verdict, j.Error, j.Stdout, cut(j.Stderr))
			}
			if again := judged(t, b, canary); again.Verdict != sandbox.Passed || again.Stdout != first.Stdout {
				t.Errorf("the next program finds %s %+v %s", again.Verdict, again.Error, differing(first.Stdout, again.Stdout))
			}
			for code, verdict := range map[string]sandbox.Verdict{"def f(x): return x + 1": sandbox.Passed, "def f(x): return x": sandbox.Failed} {
				p := sandbox.Program{Code: code, Entry: "f", Tests: []sandbox.Test{{Name: "f", Code: "assert f(1) == 2"}}}
				if j := judged(t, b, p); j.Verdict != verdict {
					t.Errorf("after it, %q is judged %s: %+v", code, j.Verdict, j.Error)
				}
			}
			one := judged(t, b, sandbox.Program{Code: "import random; print(random.random())"})
			if one.Verdict != sandbox.Passed || numbers[one.Stdout] {
				t.Errorf("%s, and the random number %s was there before", one.Verdict, one.Stdout)
			}
			numbers[one.Stdout] = true
		})
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

package verify_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/deeprepo/deeprepo/internal/verify"
)

func TestControlsAreRemembered(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "controls")
	gate := func(set int, build string, b *box) runfile.Controls {
		t.Helper()
		v := verify.New(verify.Config{Box: b, Set: humaneval(t, set), Workers: 2, Cache: verify.OpenGateCache(dir, "humaneval", build)})
		c, err := v.Gate(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		again := b.runs
		if _, err := v.Gate(t.Context()); err != nil || b.runs != again {
			t.Errorf("the same verifier ran its controls again: %d programs, %v", b.runs-again, err)
		}
		return c
	}
	// Seven controls a task, of which the empty one is not run.
	for _, x := range []struct {
		what         string
		tasks        int
		build        string
		runs, cached int
	}{
		{"nothing is known", 10, "a", 60, 0},
		{"all are known, and the first run all the same", 10, "a", 2, 67},
		{"a part of them", 4, "a", 2, 25},
		{"more than before", 11, "a", 8, 67},
		{"another build", 10, "b", 60, 0},
	} {
		b := &box{}
		c := gate(x.tasks, x.build, b)
		if b.runs != x.runs || c.Cached != x.cached || c.Canonical.Passed != x.tasks || c.Null.Total != 6*x.tasks {
			t.Errorf("%s: %d programs ran, %+v", x.what, b.runs, c)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "humaneval-*.json"))
	if err != nil || len(files) != 2 {
		t.Fatalf("%q, %v", files, err)
	}
	for _, file := range files {
		if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if b := (&box{}); gate(2, "b", b).Cached != 0 || b.runs != 12 {
		t.Errorf("a damaged cache: %d programs ran", b.runs)
	}
	for i := range 10 { // builds come and go
		gate(1, fmt.Sprint("build", i), &box{})
	}
	if files, err = filepath.Glob(filepath.Join(dir, "*")); err != nil || len(files) != 4 {
		t.Errorf("%q, %v", files, err)
	}
}

// The first controls, and all programs of who asks for it, say that they are to run now, whatever a fleet remembers.
func TestWhatIsToRunNowSaysSo(t *testing.T) {
	for _, live := range []bool{false, true} {
		var said, in int
		b := &box{judge: func(p sandbox.Program) (sandbox.Judgement, error) {
			in++
			if p.Live {
				said++
			}
			return sandbox.Judgement{}, nil
		}}
		set := humaneval(t, 4)
		v := verify.New(verify.Config{Box: b, Set: set, Workers: 1, Live: live})
		if _, err := v.Gate(t.Context()); err != nil || said == 0 || said == in {
			t.Errorf("%d of %d controls, %v", said, in, err)
		}
		said = 0
		if _, err := v.Judge(t.Context(), set.Tasks[0], "def f(): pass\n"); err != nil || (said == 1) != live {
			t.Errorf("live %v: %d, %v", live, said, err)
		}
	}
}

func TestWhatSurprisedIsNotRemembered(t *testing.T) {
	dir := t.TempDir()
	fails := &box{judge: func(p sandbox.Program) (sandbox.Judgement, error) {
		if p.Entry == "add_9" {
			return sandbox.Judgement{}, errors.New("worker lost")
		}
		return sandbox.Judgement{}, nil
	}}
	v := verify.New(verify.Config{Box: fails, Set: humaneval(t, 10), Workers: 1, Cache: verify.OpenGateCache(dir, "humaneval", "a")})
	if _, err := v.Gate(t.Context()); err == nil {
		t.Fatal("the gate passed")
	}
	v = verify.New(verify.Config{Box: &box{}, Set: humaneval(t, 10), Workers: 1, Cache: verify.OpenGateCache(dir, "humaneval", "a")})
	if c, err := v.Gate(t.Context()); err != nil || c.Canonical.Passed != 10 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestReferencesBoundTheirPrograms(t *testing.T) {
	set := humaneval(t, 4)
	steps := map[string]int64{"add_0": 1000, "add_1": 5_000_000, "add_2": 40_000_000, "add_3": 90_000_000}
	var got []int64
	b := &box{}
	b.judge = func(p sandbox.Program) (sandbox.Judgement, error) {
		if strings.Contains(p.Code, "return x + "+p.Entry[4:]+"\n") && !strings.Contains(p.Code, "\ndel ") &&
			!strings.HasSuffix(p.Code, "\n)\n") {
			return sandbox.Judgement{Verdict: sandbox.Passed, Steps: steps[p.Entry]}, nil
		}
		return sandbox.Judgement{}, nil
	}
	v := verify.New(verify.Config{Box: b, Set: set, Workers: 1})
	if _, err := v.Gate(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.judge = func(p sandbox.Program) (sandbox.Judgement, error) {
		got = append(got, p.Limits.Steps)
		if p.Limits.Wall.Seconds() < float64(p.Limits.Steps)/4e6 {
			t.Errorf("%d steps in %v: the clock would strike first", p.Limits.Steps, p.Limits.Wall)
		}
		return sandbox.Judgement{}, nil
	}
	for _, task := range set.Tasks {
		if _, err := v.Judge(t.Context(), task, "def f(): pass\n"); err != nil {
			t.Fatal(err)
		}
	}
	want := []int64{30_000_000, 100_000_000, 200_000_000, 360_000_000}
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("add_%d: %d steps, want %d", i, got[i], want[i])
		}
	}
}

func TestChallengeTestsDecideOnlyWhenAsked(t *testing.T) {
	path := filepath.Join(t.TempDir(), "mbpp.jsonl")
	row := `{"text": "Add one.", "code": "def inc(x):\n    return x + 1\n", "task_id": 11, "test_setup_code": "", ` +
		`"test_list": ["assert inc(1) == 2"], "challenge_test_list": ["assert inc(-1) == 0"]}`
	if err := os.WriteFile(path, []byte(row+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	set, err := dataset.Open(t.Context(), "mbpp", dataset.Options{Data: path, Parser: runtest.OpenParser})
	if err != nil {
		t.Fatal(err)
	}
	for _, challenge := range []bool{false, true} {
		b := &box{judge: func(p sandbox.Program) (sandbox.Judgement, error) {
			if strings.Contains(p.Code, "return x + 1\n") && !strings.Contains(p.Code, "\ndel ") && !strings.HasSuffix(p.Code, "\n)\n") {
				return sandbox.Judgement{Verdict: sandbox.Passed}, nil
			}
			return sandbox.Judgement{}, nil
		}}
		v := verify.New(verify.Config{Box: b, Set: set, Challenge: challenge})
		if _, err := v.Gate(t.Context()); err != nil {
			t.Fatal(err)
		}
		r, err := v.Judge(t.Context(), set.Tasks[0], "def inc(x): pass\n")
		if want := map[bool]int{false: 1, true: 2}[challenge]; err != nil || r.TestsTotal != want {
			t.Errorf("challenge %v: %d tests, %v", challenge, r.TestsTotal, err)
		}
	}
}

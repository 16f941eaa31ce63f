package pairs

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/sandbox"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

var testTime = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func now() time.Time { return testTime }

func wrongProgram(task int, code, source string) *candidate {
	return &candidate{task: task, code: code, origin: runfile.PairOrigin{Source: source}, result: &Scored{Verdict: "failed", Public: "0"}}
}

// Whatever the lengths are, none of the size rules is right much more often than not in what balance leaves.
func TestBalance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "pairs")
		bias := rapid.IntRange(0, 10).Draw(t, "bias")
		var pool []pick
		for i := range n {
			a, b := rapid.IntRange(1, 20).Draw(t, "chosen"), rapid.IntRange(1, 20+bias).Draw(t, "rejected")
			p := pick{chosen: wrongProgram(i, strings.Repeat("x\n", a), ""), rejected: wrongProgram(i, strings.Repeat("y\n", b), ""),
				draw: uint64(i)}
			p.ratio = math.Log(float64(b) / float64(a))
			pool = append(pool, p)
		}
		left := balance(pool, 0.02)
		for k := range 3 {
			sum := 0
			for _, p := range left {
				sum += tilts(p)[k]
			}
			if math.Abs(float64(sum)) > 0.04*float64(len(left))+1e-9 {
				t.Fatalf("rule %d: %d of %d", k, sum, len(left))
			}
		}
		if len(pool) > 0 && len(left) == 0 {
			plus, minus := 0, 0
			for _, p := range pool {
				plus += int(truth(direction(p) > 0))
				minus += int(truth(direction(p) < 0))
			}
			if plus > 0 && minus > 0 {
				t.Fatalf("nothing is left of %d longer and %d shorter", plus, minus)
			}
		}
	})
}

// Sources get their shares where they have enough, tasks no more than their cap.
func TestMix(t *testing.T) {
	b := &builder{weights: map[string]float64{"a": 3, "b": 1}, tasks: smallSet(t).Tasks}
	b.PairOptions = withDefaults(runfile.PairOptions{PerTask: 4})
	var pool []pick
	for task := range 5 {
		c := wrongProgram(task, "right", "a")
		for i := range 10 {
			for _, source := range []string{"a", "b"} {
				pool = append(pool, pick{chosen: c, rejected: wrongProgram(task, strings.Repeat(source, i+1), source), source: source,
					draw: uint64(len(pool))})
			}
		}
	}
	got := b.mix(pool)
	count, tasks := map[string]int{}, map[int]int{}
	for _, p := range got {
		count[p.source]++
		tasks[p.chosen.task]++
	}
	if d := cmp.Diff(map[string]int{"a": 15, "b": 5}, count); d != "" {
		t.Error(d)
	}
	for task, n := range tasks {
		if n != 4 {
			t.Errorf("task %d: %d pairs", task, n)
		}
	}
}

func TestShapely(t *testing.T) {
	b := &builder{BuildConfig: BuildConfig{PairOptions: runfile.PairOptions{SyntaxShare: 0.1}}}
	var pool []pick
	for i := range 40 {
		pool = append(pool, pick{shapeless: i%2 == 0})
	}
	got := b.shapely(pool)
	n := 0
	for _, p := range got {
		n += int(truth(p.shapeless))
	}
	if n != 2 || len(got) != 22 { // 2 of 22 are within a tenth, 3 of 23 are not
		t.Errorf("%d of %d", n, len(got))
	}
}

// A program without the function that was asked for is no wrong answer: it teaches nothing about the task.
func TestProgramsWithoutTheEntryPointAreNotRejected(t *testing.T) {
	b := &builder{rates: make([]taskRate, 1)}
	program := func(code string, v sandbox.Verdict) *candidate {
		return &candidate{code: code, result: &Scored{Verdict: v, Public: "0"}}
	}
	_, rejected := b.sort([]*candidate{program("def other(): pass\n", sandbox.NoEntryPoint), program("def f(): return 1\n", sandbox.Failed)})
	if len(rejected) != 1 || rejected[0].result.Verdict != sandbox.Failed {
		t.Errorf("%d rejected", len(rejected))
	}
}

// A tail that a crash has torn, and lines that mean nothing, cost no more than the programs in them.
func TestMemory(t *testing.T) {
	path := t.TempDir()
	root, err := os.OpenRoot(path)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	m, err := openMemory(root, "m")
	if err != nil {
		t.Fatal(err)
	}
	want := &Scored{Verdict: "failed", Public: "101"}
	if err := m.put("k", want); err != nil {
		t.Fatal(err)
	}
	if err := m.close(); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(path, "m")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	torn := string(text) + "nonsense\n" + `{"key":"x","scored":{"verdict":"passed","public":"9"}}` + "\n" + `{"key":"y","sco`
	if err := os.WriteFile(name, []byte(torn), 0o600); err != nil {
		t.Fatal(err)
	}
	if m, err = openMemory(root, "m"); err != nil {
		t.Fatal(err)
	}
	defer m.close()
	if got, ok := m.get("k"); !ok || cmp.Diff(want, got) != "" {
		t.Errorf("%+v", got)
	}
	if _, ok := m.get("x"); ok || len(m.known) != 1 {
		t.Errorf("%v", m.known)
	}
	if err := m.put("z", want); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(name); strings.Contains(string(text), `"y"`) || !strings.Contains(string(text), `{"key":"z"`) {
		t.Error(string(text))
	}
}

func TestScore(t *testing.T) {
	s := &Scored{Public: "110", Hidden: "", Mutated: "10"}
	if got := s.score(runfile.PairWeights{Public: 2, Hidden: 5, Mutated: 1}); math.Abs(got-(2*2.0/3+0.5)/3) > 1e-12 {
		t.Error(got)
	}
	if s.given() || (&Scored{}).given() || !(&Scored{Public: "1", Mutated: "0"}).given() || (&Scored{Public: "1", Mutated: "0"}).all() {
		t.Error("given and all")
	}
}

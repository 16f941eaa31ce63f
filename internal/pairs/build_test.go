package pairs

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/dataset"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/runtest"
	"github.com/google/go-cmp/cmp"
)

func sampleFile(t *testing.T, rows ...[2]string) SampleFile {
	t.Helper()
	var b bytes.Buffer
	for _, r := range rows {
		if err := json.NewEncoder(&b).Encode(map[string]any{"task_id": r[0], "solution": r[1], "model": "hand", "temperature": 0.5,
			"seed": 3}); err != nil {
			t.Fatal(err)
		}
	}
	name := filepath.Join(t.TempDir(), "hand.jsonl")
	if err := os.WriteFile(name, b.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	f := SampleFile{Name: "hand.jsonl", Weight: 1}
	f.Source.Name = name
	return f
}

func handSamples(t *testing.T) SampleFile {
	return sampleFile(t, [2]string{"601", aboveRight}, [2]string{"601", aboveWrong}, [2]string{"Mbpp/601", aboveWrong},
		[2]string{"604", evensRight}, [2]string{"604", evensWrong},
		[2]string{"604", evensShallow}, [2]string{"602", "def dashed(words:\n"}, [2]string{"602", " "}, [2]string{"11", aboveRight})
}

// build runs a build in dir and returns it with what it wrote.
func build(t *testing.T, path string, set *dataset.Set, o runfile.PairOptions, samples ...SampleFile) (*runfile.PairBuild,
	map[string]string) {
	t.Helper()
	recipe, err := NewRecipe(set, o, samples, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir, _, err := OpenDir(path, recipe, "test", testTime)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	built, err := Build(t.Context(), BuildConfig{PairOptions: o, Set: set, Box: engine, Extract: extractor(), Parser: runtest.OpenParser,
		Dir: dir, Samples: samples,
		Sandbox: "box", Version: "test", Command: "deeprepo pairs build", Now: now})
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, name := range []string{TrainName, HeldoutName, cardName} {
		text, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return built, files
}

func step(t *testing.T, f Funnel, name string) runfile.FunnelStep {
	t.Helper()
	for _, s := range f {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no step %q in %v", name, f)
	return runfile.FunnelStep{}
}

func TestBuild(t *testing.T) {
	set := smallSet(t)
	o := runfile.PairOptions{Mutants: -1, Balance: -1, Heldout: -1}
	path := filepath.Join(t.TempDir(), "out")
	built, files := build(t, path, set, o, handSamples(t))
	if built.Train != 2 || built.Heldout != 0 || built.Reverified.OK != 2 || len(built.Reverified.Wrong) > 0 {
		t.Fatalf("%+v", built)
	}
	for name, want := range map[string][2]int{
		"test split refused": {5, 4}, "samples of tasks that may be used": {9, 8}, "code found": {8, 7}, "different programs": {7, 6},
		"undisputed": {6, 5}, "run again after all filters": {2, 2},
	} {
		if s := step(t, built.Funnel, name); [2]int{s.In, s.Out} != want {
			t.Errorf("%s: %d to %d, want %v", name, s.In, s.Out, want)
		}
	}
	for i, s := range built.Funnel {
		if s.Out > s.In || s.Why == "" {
			t.Errorf("step %d: %+v", i, s)
		}
	}
	pairs, err := Read(strings.NewReader(files[TrainName]), TrainName)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string][2]string{}
	for _, p := range pairs {
		got[p.TaskID] = [2]string{p.ChosenText(), p.RejectedText()}
	}
	if d := cmp.Diff(map[string][2]string{"MBPP/601": {aboveRight, aboveWrong}, "MBPP/604": {evensRight, evensWrong}}, got); d != "" {
		t.Error(d)
	}
	if !strings.Contains(pairs[0].PromptText(), "must be called `") || strings.Contains(files[TrainName], "doubled") {
		t.Error(files[TrainName])
	}
	var p runfile.PairProvenance
	if err := json.Unmarshal(pairs[0].Extra["provenance"], &p); err != nil {
		t.Fatal(err)
	}
	if p.Chosen.Generator != "hand" || *p.Chosen.Temperature != 0.5 || *p.Chosen.Seed != 3 || *p.Chosen.Score != 1 ||
		*p.Rejected.Score >= 1 || p.Delta != rounded(1-*p.Rejected.Score) || p.Tests == "" {
		t.Errorf("%+v", p)
	}
	for _, want := range []string{"2 of 2 came out as labelled", "CC", "| hand.jsonl | 1 | 2 |", "told by length"} {
		if !strings.Contains(files[cardName], want) {
			t.Errorf("no %q in the card:\n%s", want, files[cardName])
		}
	}

	// The same again, elsewhere and in the same place, gives the same bytes; in the same place nothing is run twice.
	again, files2 := build(t, path, set, o, handSamples(t))
	if d := cmp.Diff(files, files2); d != "" || again.Run != 0 || again.Remembered == 0 {
		t.Errorf("%d run, %d remembered %s", again.Run, again.Remembered, d)
	}
	// Another recipe in the same place is refused.
	recipe, err := NewRecipe(set, runfile.PairOptions{Seed: 9}, nil, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := OpenDir(path, recipe, "test", testTime); err == nil || !strings.Contains(err.Error(), "other options") {
		t.Error(err)
	}
}

func TestBuildOfReferencesAndMutants(t *testing.T) {
	set := smallSet(t)
	o := runfile.PairOptions{References: true, Sizes: []int{2, 4}, Heldout: 0.3, Near: -1, Balance: -1, Seed: 5}
	path := filepath.Join(t.TempDir(), "out")
	built, files := build(t, path, set, o)
	if built.Train+built.Heldout < 10 || built.Heldout == 0 || built.Reverified.OK != built.Train+built.Heldout {
		t.Fatalf("%+v", built)
	}
	tasks := map[string]string{}
	for _, name := range []string{TrainName, HeldoutName} {
		pairs, err := Read(strings.NewReader(files[name]), name)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pairs {
			if in := tasks[p.TaskID]; in != "" && in != name {
				t.Errorf("%s is in both files", p.TaskID)
			}
			tasks[p.TaskID] = name
		}
	}
	rows := func(name string) map[string]bool {
		text, err := os.ReadFile(filepath.Join(path, name))
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]bool{}
		for line := range strings.Lines(string(text)) {
			out[line] = true
		}
		return out
	}
	two, four, all := rows("subset-2.jsonl"), rows("subset-4.jsonl"), rows(TrainName)
	if len(two) != 2 || len(four) != 4 {
		t.Errorf("%d and %d rows", len(two), len(four))
	}
	for line := range two {
		if !four[line] || !all[line] {
			t.Error("subsets are not nested")
		}
	}
	if other, files2 := build(t, filepath.Join(t.TempDir(), "out"), set, o); cmp.Diff(files, files2) != "" || other.Run == 0 {
		t.Error("the same recipe gives other files")
	}
	o.Seed = 6
	if _, files2 := build(t, filepath.Join(t.TempDir(), "out"), set, o); files2[TrainName] == files[TrainName] {
		t.Error("the seed decides nothing")
	}
}

func TestBuildOfNothing(t *testing.T) {
	set := smallSet(t)
	samples := sampleFile(t, [2]string{"601", aboveRight})
	o := runfile.PairOptions{Mutants: -1}
	recipe, err := NewRecipe(set, o, []SampleFile{samples}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir, _, err := OpenDir(filepath.Join(t.TempDir(), "out"), recipe, "test", testTime)
	if err != nil {
		t.Fatal(err)
	}
	defer dir.Close()
	_, err = Build(t.Context(), BuildConfig{PairOptions: o, Set: set, Box: engine, Extract: extractor(), Parser: runtest.OpenParser,
		Dir: dir, Samples: []SampleFile{samples}})
	var empty *EmptyError
	if !errors.As(err, &empty) || len(empty.Funnel) == 0 || empty.Hint() == "" {
		t.Error(err)
	}
}

func TestProbe(t *testing.T) {
	p := runtest.Parser(t)
	set := smallSet(t)
	task, _ := set.Find("604")
	tests, err := (&prober{parser: p, box: engine, most: 6, seed: 1}).probe(t.Context(), task)
	if err != nil || len(tests) < 4 {
		t.Fatal(len(tests), err)
	}
	for _, one := range tests {
		for _, given := range task.Tests {
			if strings.Contains(one.Code, strings.TrimPrefix(given.Code, "assert ")) {
				t.Errorf("%s is a test already", one.Code)
			}
		}
		if !isMutated(one) || strings.Contains(one.Code, "(-") {
			t.Errorf("%+v", one)
		}
	}
	// The shallow program passes the dataset's tests and not these.
	task.Tests, task.Judge = append(task.Tests, tests...), task.Judge+sameSource
	program := task.Program(evensShallow)
	program.KeepGoing = true
	j, err := engine.Exec(t.Context(), program)
	if err != nil {
		t.Fatal(err)
	}
	s := &Scored{}
	for i, r := range j.Results {
		if i < 3 && r.Verdict != "passed" {
			t.Errorf("test %d: %s", i, r.Verdict)
		}
		if i >= 3 && r.Verdict == "passed" {
			s.Mutated += "1"
		}
	}
	if len(s.Mutated) == len(tests) {
		t.Error("the shallow program passes all mutated tests")
	}
}

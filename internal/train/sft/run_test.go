package sft

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/lm/checkpoint"
	"github.com/deeprepo/deeprepo/internal/lm/transformer"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/train"
)

// school writes demonstrations that follow a simple rule: the cell depends on the view.
func school(t *testing.T, episodes int) string {
	t.Helper()
	var all []train.Episode
	for i := range episodes {
		n := 3 + i*7%5
		all = append(all, train.Episode{Task: fmt.Sprintf("task-%d", i/4), Policy: "rule", Reward: float64(i%4) / 4, Turns: 2,
			Exchanges: []nano.Exchange{
				{View: fmt.Sprintf("%d files 9k py%d t1/20", n, n), Cell: fmt.Sprintf("r = llm_batch([codebase[p] for p in list(codebase)[:%d]])\nprint(len(r))", n)},
				{View: fmt.Sprintf("%d t2/20 c100", n), Cell: "set_answer(\"\\n\".join(r))"},
			}})
	}
	path := filepath.Join(t.TempDir(), "school.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := train.WriteEpisodes(f, all); err != nil {
		t.Fatal(err)
	}
	return path
}

func tiny() Options {
	return Options{Vocab: 300, Tokens: 20_000, Batch: 8, Warmup: 5, Heldout: 8, HeldoutEvery: 10, SaveEvery: 7, Seed: 3}
}

// little is a base that is quick to train, with the school's vocabulary.
func little(t *testing.T, school string) *nano.Policy {
	t.Helper()
	f, err := os.Open(school)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	episodes, err := train.ReadEpisodes(f, school)
	if err != nil {
		t.Fatal(err)
	}
	tokenizer, err := learnVocabulary(episodes, 300)
	if err != nil {
		t.Fatal(err)
	}
	shape := transformer.Config{Vocab: tokenizer.Vocab(), Dim: 32, Layers: 2, Heads: 2, Hidden: 64, Context: 256}
	return &nano.Policy{Model: transformer.New(shape, 5), Tokenizer: tokenizer}
}

func bits(t *testing.T, m *transformer.Model) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := checkpoint.WriteTensors(&b, train.Tensors(m.Params()), nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestLearns(t *testing.T) {
	o := tiny()
	o.Tokens, o.Batch = 9000, 4
	out, err := Run(context.Background(), o, Config{Demonstrations: school(t, 80), Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	first, last := out.Steps[0], out.Steps[len(out.Steps)-1]
	if first.Loss < 4 || last.Loss > 0.5 {
		t.Errorf("the loss went from %.3f to %.3f", first.Loss, last.Loss)
	}
	if out.Heldout <= 0 || out.Heldout > 0.4 {
		t.Errorf("the held-out loss is %.3f", out.Heldout)
	}
	read, tokenizer, meta, err := checkpoint.ReadModel(os.DirFS(out.Dir))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bits(t, read), bits(t, out.Policy.Model)) || tokenizer.Vocab() != read.Config.Vocab || meta["fingerprint"] == "" {
		t.Error("the model's directory does not hold the model")
	}
}

// TestResume interrupts a run again and again, on other numbers of cores: it ends with the same weights.
func TestResume(t *testing.T) {
	t.Run("all weights", func(t *testing.T) { testResume(t, 0, false) })
	var wide, rounded []byte
	t.Run("an adapter", func(t *testing.T) { wide = testResume(t, 2, false) })
	t.Run("an adapter beside eight bits", func(t *testing.T) { rounded = testResume(t, 2, true) })
	if bytes.Equal(wide, rounded) {
		t.Error("beside eight bits the same is learnt as in 32")
	}
}

// testResume gives the weights that were learnt.
func testResume(t *testing.T, rank int, eight bool) []byte {
	school, dir := school(t, 48), t.TempDir()
	o := tiny()
	o.Tokens, o.Rank = 12_000, rank
	base := little(t, school)
	if eight {
		base.Compute = base.Model.InEightBits()
	}
	before := bits(t, base.Model)
	whole, err := Run(context.Background(), o, Config{Demonstrations: school, Base: base, Out: filepath.Join(dir, "whole"),
		Program: train.Program{Cores: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(whole.Steps); n < 12 {
		t.Fatalf("only %d steps", n)
	}
	if !bytes.Equal(before, bits(t, base.Model)) {
		t.Error("the base itself was trained")
	}
	trained := 0
	for _, p := range whole.Policy.Model.Params() {
		trained += len(p.Data)
	}
	if rank > 0 {
		trained = 0
		for _, p := range transformer.NewAdapter(base.Model.Config, rank, 1, 0).Params() {
			trained += len(p.Data)
		}
	}
	if whole.Trained != trained || bytes.Equal(before, bits(t, whole.Policy.Model)) {
		t.Errorf("%d numbers were trained, want %d, and the model is another", whole.Trained, trained)
	}
	parts := Config{Demonstrations: school, Base: base, Out: filepath.Join(dir, "parts")}
	for i, stop := range []int{4, 5, 11} {
		ctx, cancel := context.WithCancel(context.Background())
		c := parts
		c.Cores = 1 + i
		c.Observe = func(p Progress) {
			if p.TrainingStep.Step == stop {
				cancel()
			}
		}
		_, err := Run(ctx, o, c)
		var stopped *rundir.Stopped
		if !errors.As(err, &stopped) || stopped.Done != stop || !errors.Is(err, context.Canceled) {
			t.Fatalf("interrupted after step %d: %v", stop, err)
		}
		cancel()
	}
	// A kill leaves metrics behind that the checkpoint does not know.
	f, err := os.OpenFile(filepath.Join(parts.Out, train.MetricsName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprint(f, `{"step":12,"loss":77}`+"\n"+`{"step":13,"lo`)
	f.Close()
	got, err := Run(context.Background(), o, parts)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(bits(t, whole.Policy.Model), bits(t, got.Policy.Model)) {
		t.Error("the interrupted run ended with other weights")
	}
	for i, s := range whole.Steps {
		g := got.Steps[i]
		if s.Loss != g.Loss || s.GradNorm != g.GradNorm || s.LR != g.LR || (s.Heldout == nil) != (g.Heldout == nil) ||
			s.Heldout != nil && *s.Heldout != *g.Heldout {
			t.Errorf("step %d: %+v, and without interruptions %+v", s.Step, g, s)
		}
	}
	again, err := Run(context.Background(), o, parts) // nothing is left to do
	if err != nil || len(again.Steps) != len(whole.Steps) || !bytes.Equal(bits(t, whole.Policy.Model), bits(t, again.Policy.Model)) {
		t.Errorf("a run that is done changes: %v", err)
	}
	base.Model.Params()[0].Data[0]++
	if _, err := Run(context.Background(), o, parts); err == nil || !strings.Contains(err.Error(), "inputs") {
		t.Errorf("another base in the same directory: %v", err)
	}
	base.Model.Params()[0].Data[0]--
	o.Seed++
	if _, err := Run(context.Background(), o, parts); err == nil || !strings.Contains(err.Error(), "other options") {
		t.Errorf("other options in the same directory: %v", err)
	}
	return bits(t, whole.Policy.Model)
}

func TestBadInputs(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	good := school(t, 16)
	text, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	model := transformer.New(transformer.Config{Vocab: 300, Dim: 32, Layers: 1, Heads: 1, Hidden: 32}, 1)
	tokenizer, err := learnVocabulary([]train.Episode{{Exchanges: []nano.Exchange{{View: "abab abab", Cell: "abab"}}}}, 300)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name    string
		options Options
		config  Config
		want    string
	}{
		{"a missing file", tiny(), Config{Demonstrations: filepath.Join(dir, "none.jsonl")}, "none.jsonl"},
		{"a directory", tiny(), Config{Demonstrations: dir}, "no regular file"},
		{"a broken line", tiny(), Config{Demonstrations: write("broken.jsonl", string(text)+"{\"task\": \"x\",\n")}, "broken.jsonl, line 17"},
		{"a line of something else", tiny(), Config{Demonstrations: write("other.jsonl", "{\"prompt\":\"x\",\"chosen\":\"y\"}\n")}, "line 1: the episode has no exchanges"},
		{"an empty file", tiny(), Config{Demonstrations: write("empty.jsonl", "")}, "too few"},
		{"one task", tiny(), Config{Demonstrations: write("one.jsonl", strings.Repeat(strings.SplitAfter(string(text), "\n")[0], 6))}, "too few"},
		{"nothing at all", tiny(), Config{}, "neither demonstrations nor an environment"},
		{"another vocabulary", tiny(), Config{Demonstrations: good, Base: &nano.Policy{Model: model, Tokenizer: tokenizer}}, "vocabulary of 300 tokens, its tokenizer of"},
		{"no size", Options{Size: "huge"}, Config{Demonstrations: good}, `no model size "huge"`},
		{"more episodes than memory", Options{Episodes: 1 << 62}, Config{Demonstrations: good}, "episodes: 4611686018427387904 is not from 1 to"},
		{"tokens without an end", Options{Tokens: 1 << 62}, Config{Demonstrations: good}, "tokens: 4611686018427387904 is not from 1 to"},
		{"no rate", Options{LR: -1}, Config{Demonstrations: good}, "learning rate -1"},
		{"a vocabulary below the bytes", Options{Vocab: 100}, Config{Demonstrations: good}, "a vocabulary of 100 tokens"},
		{"a reward that none has", Options{MinReward: 0.9}, Config{Demonstrations: good}, "too few"},
	}
	for i, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.config.Out = filepath.Join(dir, fmt.Sprint("out", i))
			if _, err := Run(context.Background(), tt.options, tt.config); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("the error is %v, and should say %q", err, tt.want)
			}
		})
	}
}

func TestDiverges(t *testing.T) {
	o := tiny()
	o.LR, o.MaxNorm, o.Patience, o.Warmup, o.Tokens = 1, 1e6, 5, 1, 100_000
	out := filepath.Join(t.TempDir(), "run")
	lessons := school(t, 48)
	_, err := Run(context.Background(), o, Config{Demonstrations: lessons, Base: little(t, lessons), Out: out})
	var d *Diverged
	if !errors.As(err, &d) || d.Hint() == "" {
		t.Fatalf("a learning rate of 1 gives %v", err)
	}
	var c course
	for step, loss := range []float64{7, 6, 8, 9, 5, 8} {
		if err := c.check(step+1, loss, 1, 3); err != nil {
			t.Errorf("step %d: %v", step+1, err)
		}
	}
	if c.check(7, 8, 1, 3) != nil || c.check(8, 8, 1, 3) == nil {
		t.Error("three steps in a row above the first are not the end")
	}
	nan := 0.0
	nan /= nan
	if c.check(9, nan, 1, 3) == nil || c.check(9, 1, nan, 3) == nil {
		t.Error("a loss that is no number is not the end")
	}
}

package dpo

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/rundir"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// earns is the mean reward of a policy's replies.
func earns(t *testing.T, p nano.Policy) float64 {
	t.Helper()
	sampler := nano.NewSampler(p, nano.SamplerConfig{Cores: 1, MaxCell: 8})
	defer sampler.Close()
	sum := 0.0
	const n = 30
	for i := range n {
		root := sampler.Open(nano.Conversation{Seed: uint64(i), Temperature: 1})
		episode, err := train.Play(t.Context(), letters{}, env.Task{ID: "other"}, train.Attempt{Root: root})
		if err != nil {
			t.Fatal(err)
		}
		sum += episode.Reward
	}
	return sum / n
}

// TestWhole plays a pool, makes pairs, learns from them, and has the policy earn more where it was not trained.
func TestWhole(t *testing.T) {
	p := tiny(t)
	o := small()
	o.Pairs, o.Heldout, o.Gap = 400, 40, 0.15
	learn, measure, err := Collect(t.Context(), o, PoolConfig{Environment: letters{}, Policy: p, Out: filepath.Join(t.TempDir(), "pool")})
	if err != nil {
		t.Fatal(err)
	}
	set, err := Prepare(t.Context(), p, learn, measure, 2)
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	out, err := Run(t.Context(), Options{Epochs: 3, LR: 5e-3},
		Config{Set: set, Out: filepath.Join(t.TempDir(), "run"), Program: train.Program{Say: func(s string) { said = append(said, s) }}})
	if err != nil {
		t.Fatal(err)
	}
	trained := p
	trained.Model = p.Model.Merge(out.Adapter)
	if before, after := earns(t, p), earns(t, trained); after < before+0.15 {
		t.Errorf("it earned %.2f, and then %.2f", before, after)
	}
	first, last := out.Steps[0], out.Steps[len(out.Steps)-1]
	if math.Abs(first.Loss-math.Ln2) > 1e-6 || last.Loss > 0.5 || last.Accuracy < 0.8 || last.Margin <= 0 || last.Step != 75 ||
		last.HeldoutPairs == nil || last.HeldoutPairs.Accuracy < 0.6 || out.End != EndSteps {
		t.Errorf("first %+v, last %+v, %+v, end %s", first, last, last.HeldoutPairs, out.End)
	}
	measured := 0
	for _, s := range out.Steps {
		if s.HeldoutPairs != nil {
			measured++
		}
	}
	if measured != 4 || len(said) != len(out.Alarms) {
		t.Errorf("measured %d times, %v", measured, said)
	}
}

// TestSameWeights interrupts a run again and again, on other numbers of cores, and has it end with the same bits.
func TestSameWeights(t *testing.T) {
	p := tiny(t)
	learn, measure, err := Collect(t.Context(), small(), PoolConfig{Environment: letters{}, Policy: p,
		Out: filepath.Join(t.TempDir(), "pool")})
	if err != nil {
		t.Fatal(err)
	}
	set, err := Prepare(t.Context(), p, learn, measure, 2)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{LR: 1e-2, Batch: 5, Seed: 4}
	whole, err := Run(t.Context(), o, Config{Set: set, Pairs: 40, Program: train.Program{Cores: 1}, Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	for stops := 0; ; stops++ {
		ctx, cancel := context.WithCancel(t.Context())
		until := 6
		got, err := Run(ctx, o, Config{Set: set, Pairs: 40, Program: train.Program{Cores: 3}, Out: dir, Observe: func(runfile.TrainingStep, int) {
			if until--; until == 0 {
				cancel()
			}
		}})
		cancel()
		if err == nil {
			if stops < 2 {
				t.Errorf("it was stopped %d times", stops)
			}
			clocks := cmpopts.IgnoreFields(runfile.TrainingStep{}, "TokensPerSecond", "Seconds", "LearnSeconds", "HeldoutSeconds")
			if d := cmp.Diff(whole.Steps, got.Steps, clocks); d != "" {
				t.Error(d)
			}
			for _, name := range []string{train.CheckpointName, train.AdapterName + "/adapter_model.safetensors"} {
				x, errX := os.ReadFile(filepath.Join(whole.Dir, name))
				y, errY := os.ReadFile(filepath.Join(dir, name))
				if errors.Join(errX, errY) != nil || string(x) != string(y) {
					t.Errorf("%s differs (%v, %v)", name, errX, errY)
				}
			}
			break
		}
		if s := (*rundir.Stopped)(nil); !errors.As(err, &s) || s.Total != 16 || got.Adapter != nil || stops > 9 {
			t.Fatal(err)
		}
	}
	// Another number of pairs is another training.
	if _, err := Run(t.Context(), o, Config{Set: set, Pairs: 20, Out: dir}); err == nil ||
		!strings.Contains(err.Error(), "other options or inputs") {
		t.Errorf("other pairs went on: %v", err)
	}
}

// TestPool continues an interrupted pool, and gives the same pairs.
func TestPool(t *testing.T) {
	p := tiny(t)
	o := small()
	o.Pairs = 100 // more than the first tasks give
	c := PoolConfig{Environment: letters{}, Policy: p, Out: filepath.Join(t.TempDir(), "pool")}
	learn, measure, err := Collect(t.Context(), o, c)
	if err != nil {
		t.Fatal(err)
	}
	if len(learn) != 100 || len(measure) == 0 || Gap(learn) <= 0 {
		t.Errorf("%d and %d pairs", len(learn), len(measure))
	}
	for _, pair := range append(learn, measure...) {
		if err := pair.check(); err != nil || pair.Chosen.Workers != pair.Rejected.Workers || pair.Chosen.Seed == pair.Rejected.Seed ||
			len(pair.Chosen.Sequences) == 0 || !strings.HasPrefix(pair.Task, env.Train) {
			t.Fatalf("%v: %+v", err, pair)
		}
	}
	saved, err := ReadFile(filepath.Join(c.Out, PairsName))
	if d := cmp.Diff(learn, saved); d != "" || err != nil {
		t.Error(err, d)
	}
	c.Out = filepath.Join(t.TempDir(), "pool")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c.Observe = func(done, total int, _ float64, rollouts int) {
		if rollouts == 6*chunk+20 { // in the second part
			cancel()
		}
	}
	if _, _, err := Collect(ctx, o, c); !errors.As(err, new(*rundir.Stopped)) {
		t.Fatal(err)
	}
	f, err := os.OpenFile(filepath.Join(c.Out, RolloutsName), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	f.WriteString(`{"place":`) // a kill in the middle of a line
	f.Close()
	c.Observe, c.Cores, c.Concurrency = nil, 1, 3
	if _, _, err := Collect(t.Context(), o, c); err != nil {
		t.Fatal(err)
	}
	again, held, err := Collect(t.Context(), o, c) // nothing is left to play
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(learn, again); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(measure, held); d != "" {
		t.Error(d)
	}
}

func TestNoPairs(t *testing.T) {
	o := small()
	o.MaxTasks = 4
	for name, c := range map[string]struct {
		reward func(env.Task, string) (float64, error)
		want   string
	}{
		"all equal":      {func(env.Task, string) (float64, error) { return 0.25, nil }, "all 24 rollouts earned 0.250"},
		"too near":       {func(_ env.Task, s string) (float64, error) { return 0.001 * worth(s), nil }, "no two rollouts of a task earned rewards 0.01 apart"},
		"machine":        {func(env.Task, string) (float64, error) { return 0, errors.New("the sandbox is gone") }, "24 of 24 rollouts failed"},
		"no reward":      {func(env.Task, string) (float64, error) { return math.NaN(), nil }, "24 of 24 rollouts failed"},
		"only some fail": {func(t env.Task, s string) (float64, error) { return worth(s), failing(t) }, ""},
	} {
		learn, _, err := Collect(t.Context(), o, PoolConfig{Environment: letters{reward: c.reward}, Policy: tiny(t),
			Out: filepath.Join(t.TempDir(), "pool")})
		switch {
		case c.want == "":
			if err != nil || len(learn) == 0 {
				t.Errorf("%s: %d pairs, %v", name, len(learn), err)
			}
			for _, p := range learn {
				if strings.HasSuffix(p.Task, "-002") {
					t.Errorf("%s has a pair", p.Task)
				}
			}
		case err == nil || !strings.Contains(err.Error(), c.want):
			t.Errorf("%s: %v", name, err)
		}
	}
}

func failing(t env.Task) error {
	if strings.HasSuffix(t.ID, "-002") {
		return errors.New("the sandbox is gone")
	}
	return nil
}

// TestAlarms is worked by hand.
func TestAlarms(t *testing.T) {
	o := Options{Window: 2}.withDefaults()
	var said []string
	var p progress
	step := func(s runfile.TrainingStep) error {
		s.Step = len(p.Losses) + 10*len(said)
		return p.check(s, o, func(line string) { said = append(said, line) })
	}
	for _, s := range []runfile.TrainingStep{
		{PreferenceLoss: 0.9},                    // one step is no running mean
		{PreferenceLoss: 0.48},                   // 0.69
		{PreferenceLoss: 0.92},                   // 0.70: an alarm
		{PreferenceLoss: 0.95},                   // raised already
		{PreferenceLoss: 0.1, ChosenDrift: -0.3}, // an alarm
		{HeldoutPairs: &runfile.TrainingPairwise{PreferenceLoss: 0.7, ChosenDrift: 0.1}}, // an alarm
		{HeldoutPairs: &runfile.TrainingPairwise{PreferenceLoss: 0.2, ChosenDrift: 0.1}},
	} {
		if err := step(s); err != nil {
			t.Fatal(err)
		}
	}
	if len(p.Alarms) != 3 || p.Alarms[0].Kind != AlarmLoss || math.Abs(p.Alarms[0].Value-0.7) > 1e-9 || p.Alarms[1].Kind != AlarmFall ||
		p.Alarms[2].Kind != AlarmHeldoutLoss || len(said) != 3 || !strings.Contains(said[1], "0.300 nats a token less likely") {
		t.Errorf("%+v, %q", p.Alarms, said)
	}
	for _, s := range []runfile.TrainingStep{{Loss: math.NaN()}, {GradNorm: math.Inf(1)}, {ChosenDrift: -2.1},
		{HeldoutPairs: &runfile.TrainingPairwise{ChosenDrift: -3}}, {HeldoutPairs: &runfile.TrainingPairwise{ChosenDrift: math.NaN()}}} {
		var d *Diverged
		if err := step(s); !errors.As(err, &d) || d.Hint() == "" {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// TestDiverges has a rate that is far too high end a run, and leave no adapter.
func TestDiverges(t *testing.T) {
	p := tiny(t)
	set, err := Prepare(t.Context(), p, []Pair{byHand(t, p)}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	c := Config{Set: set, Out: filepath.Join(t.TempDir(), "run")}
	at := 0
	for range 2 { // continuing ends at the same place
		out, err := Run(t.Context(), Options{LR: 1, MaxNorm: 1e6, Steps: 40, MaxDrift: 0.01, Beta: 0.01}, c)
		var d *Diverged
		if !errors.As(err, &d) || out.End != EndDiverged || out.Adapter != nil || at != 0 && d.Step != at ||
			!strings.Contains(err.Error(), "no adapter is kept") {
			t.Fatalf("%v, end %q", err, out.End)
		}
		at = d.Step
		if _, err := os.Stat(filepath.Join(c.Out, train.AdapterName)); err == nil {
			t.Error("an adapter is there")
		}
	}
}

func TestMisuse(t *testing.T) {
	for name, c := range map[string]struct {
		o    Options
		want string
	}{
		"norm": {Options{Norm: "square"}, `no norm "square"`}, "beta": {Options{Beta: -1}, "the beta -1"}, "rate": {Options{LR: math.NaN()}, "the learning rate NaN"},
		"epochs": {Options{Epochs: -1}, "epochs: -1"}, "sft": {Options{SFT: -1}, "the sft term -1"}, "steps": {Options{Steps: -1}, "steps: -1"}, "rank": {Options{Adapter: train.Adapter{Rank: 1000}}, "rank: 1000"},
	} {
		if err := c.o.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		o    Pool
		want string
	}{
		"group": {Pool{Group: 1}, "rollouts of a task: 1"}, "gap": {Pool{Gap: 2}, "the gap 2"}, "temperature": {Pool{Temperature: 3}, "the temperature 3"}, "pairs": {Pool{Pairs: -1}, "pairs: -1"},
	} {
		if err := c.o.Check(); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (Options{}).Check(); err != nil {
		t.Error(err)
	}
	if err := (Pool{}).Check(); err != nil {
		t.Error(err)
	}
}

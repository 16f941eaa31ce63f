package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/google/go-cmp/cmp"
)

// Lines as the engines write them, with the keys of their own sources (verl 0.9.1, tinker-cookbook 0.6.1, prime-rl 559b447).
func TestParseStep(t *testing.T) {
	for name, c := range map[string]struct {
		engine, line string
		want         runfile.TrainingStep
		ok           bool
	}{
		"trl":  {TRL, `{"step":3,"loss":0.5,"reward":0.25,"margin":0.1,"tokens":7}`, runfile.TrainingStep{Step: 3, Loss: .5, Reward: .25, Margin: .1, Tokens: 7}, true},
		"verl": {Verl, `{"step":2,"data":{"actor/pg_loss":0.1,"critic/score/mean":0.3,"perf/total_num_tokens":50,"perf/time_per_step":10,"perf/throughput":5}}`, runfile.TrainingStep{Step: 2, Loss: .1, Reward: .3, Tokens: 50, Seconds: 10, TokensPerSecond: 5}, true},
		"prime-rl": {PrimeRL, `{"step":1,"time":99,"train/x/reward/mean":0.9,"train/reward/mean":0.4,"train/num_turns/mean":3,` +
			`"progress/tokens":20,"time/step":4}`,
			runfile.TrainingStep{Step: 1, Reward: .4, Turns: 3, Tokens: 20, Seconds: 4, TokensPerSecond: 5}, true},
		"tinker":            {Tinker, `{"step":0,"env/all/reward/total":0.2,"optim/lr":0.001}`, runfile.TrainingStep{Step: 1, Reward: .2, LR: .001}, true},
		"tinker dpo":        {Tinker, `{"step":4,"dpo_loss":0.69,"margin":0.01,"accuracy":0.5}`, runfile.TrainingStep{Step: 5, Loss: .69, Margin: .01, Accuracy: .5}, true},
		"a line of an eval": {PrimeRL, `{"step":0,"eval/x/avg@1":0.5}`, runfile.TrainingStep{}, false},
		"no step":           {Verl, `{"data":{}}`, runfile.TrainingStep{}, false},
		"half a step":       {Verl, `{"step":1.5,"data":{"actor/pg_loss":1}}`, runfile.TrainingStep{}, false},
		"text for a number": {Verl, `{"step":1,"data":{"actor/pg_loss":"x","actor/lr":1}}`, runfile.TrainingStep{Step: 1, LR: 1}, true},
		"data is no object": {Verl, `{"step":1,"data":7}`, runfile.TrainingStep{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			got, ok, err := parseStep(c.engine, []byte(c.line))
			if err != nil || ok != c.ok {
				t.Fatalf("ok %v, %v", ok, err)
			}
			if d := cmp.Diff(c.want, got); ok && d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
	if _, _, err := parseStep(TRL, []byte(`{"step":`)); err == nil {
		t.Error("half a line was read")
	}
}

func FuzzParseStep(f *testing.F) {
	for i, l := range []string{`{"step":1,"loss":1e999}`, `{"step":1,"data":{"a/reward/mean":[]}}`, `null`, `{"step":9007199254740993}`,
		`{"step":-1}`, `[]`} {
		f.Add(i, []byte(l))
	}
	f.Fuzz(func(t *testing.T, engine int, line []byte) {
		s, ok, err := parseStep(Names()[uint(engine)%4], line)
		if ok && (err != nil || s.Step < 1) {
			t.Errorf("%+v, %v", s, err)
		}
	})
}

func TestFollowerReadsWholeLinesOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "metrics.jsonl")
	var steps []int
	f := &follower{engine: TRL, path: path, seen: func(s runfile.TrainingStep) error { steps = append(steps, s.Step); return nil }}
	write := func(flags int, text string) {
		t.Helper()
		file, err := os.OpenFile(path, flags|os.O_CREATE|os.O_WRONLY, 0o644)
		if err == nil {
			_, err = file.WriteString(text)
		}
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Close(); err != nil {
			t.Fatal(err)
		}
	}
	poll := func(want ...int) {
		t.Helper()
		if err := f.poll(); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, steps); d != "" {
			t.Errorf("steps (-want +got):\n%s", d)
		}
	}
	poll() // it is not there yet
	write(os.O_APPEND, "{\"step\":1,\"loss\":1}\n{\"step\":2,")
	poll(1)
	write(os.O_APPEND, "\"loss\":1}\n")
	poll(1, 2)
	write(os.O_TRUNC, "{\"step\":2}\n{\"step\":3}\n") // continued from a checkpoint, in a file that was written anew
	poll(1, 2, 3)
	write(os.O_APPEND, "{nonsense}\n")
	if err := f.poll(); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("a line that is no step: %v", err)
	}
}

package engine

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/deeprepo/deeprepo/internal/bounded"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/train"
)

// maxLine bounds a line of metrics: an engine that writes longer ones is not followed.
const maxLine = 4 << 20

// words are an engine's names for what a step says. A name is a whole key, or the end of one after a slash: the shortest
// key is meant then, which is the one over everything.
type words struct {
	step                                            string
	fromZero                                        bool   // steps are counted from 0
	inside                                          string // the key that the metrics are under
	loss, gradNorm, lr, tokens, throughput, seconds string
	reward, turns, kl, entropy, clipFraction        string
	chosenLogP, rejectedLogP, margin, accuracy      string
}

// dictionary has the engines whose lines are not ours; deeprepo_train writes runfile.TrainingStep.
var dictionary = map[string]words{
	PrimeRL: {step: "step", loss: "loss/mean", gradNorm: "optim/grad_norm", lr: "optim/lr", tokens: "progress/tokens", seconds: "time/step",
		reward: "reward/mean", turns: "num_turns/mean", entropy: "entropy/all/mean"},
	Verl: {step: "step", inside: "data", loss: "actor/pg_loss", gradNorm: "actor/grad_norm", lr: "actor/lr", tokens: "perf/total_num_tokens",
		throughput: "perf/throughput", seconds: "perf/time_per_step", reward: "critic/score/mean", turns: "num_turns/mean", kl: "actor/kl_loss",
		entropy: "actor/entropy", clipFraction: "actor/pg_clipfrac"},
	Tinker: {step: "step", fromZero: true, loss: "dpo_loss", lr: "optim/lr", seconds: "time/total", reward: "env/all/reward/total",
		turns: "env/all/turns_per_episode", kl: "kl_policy_base", entropy: "optim/entropy", margin: "margin", accuracy: "accuracy"},
}

// metricsFile is where an engine writes its metrics.
func metricsFile(o Options, p Place) string {
	if o.Engine == Verl {
		return filepath.Join(p.Out, "verl.jsonl")
	}
	return filepath.Join(p.Out, train.MetricsName)
}

// parseStep reads one line of an engine's metrics. ok is false for a line that tells of no step: one of an eval, say.
func parseStep(engine string, line []byte) (s runfile.TrainingStep, ok bool, err error) {
	w, foreign := dictionary[engine]
	if !foreign {
		d := json.NewDecoder(bytes.NewReader(line))
		err = d.Decode(&s)
		return s, err == nil && s.Step > 0, err
	}
	var all map[string]any
	if err := json.Unmarshal(line, &all); err != nil {
		return s, false, err
	}
	step, ok := all[w.step].(float64)
	if !ok || step != math.Trunc(step) || step < 0 || step > 1e9 {
		return s, false, nil
	}
	if w.inside != "" {
		all, _ = all[w.inside].(map[string]any)
	}
	get := func(name string) float64 { return value(all, name) }
	s = runfile.TrainingStep{Step: int(step), Loss: get(w.loss), GradNorm: get(w.gradNorm), LR: get(w.lr),
		Tokens:          int(min(get(w.tokens), 1e15)),
		TokensPerSecond: get(w.throughput), Seconds: get(w.seconds), Reward: get(w.reward), Turns: get(w.turns), KL: get(w.kl),
		Entropy:      get(w.entropy),
		ClipFraction: get(w.clipFraction), ChosenLogP: get(w.chosenLogP), RejectedLogP: get(w.rejectedLogP), Margin: get(w.margin),
		Accuracy: get(w.accuracy)}
	if w.fromZero {
		s.Step++
	}
	if s.TokensPerSecond == 0 && s.Seconds > 0 {
		s.TokensPerSecond = float64(s.Tokens) / s.Seconds
	}
	said := s
	said.Step = 0
	return s, s.Step > 0 && said != (runfile.TrainingStep{}), nil
}

// value is the number under a key, or under the shortest key that ends with it; 0 if there is none.
func value(all map[string]any, name string) float64 {
	if name == "" {
		return 0
	}
	key := name
	if _, ok := all[name]; !ok {
		for k := range all {
			if strings.HasSuffix(k, "/"+name) && (key == name || len(k) < len(key) || len(k) == len(key) && k < key) {
				key = k
			}
		}
	}
	v, _ := all[key].(float64)
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	return v
}

// follower reads a file that another process writes, line by line.
type follower struct {
	engine, path string
	at           int64
	last         int
	seen         func(runfile.TrainingStep) error
}

// poll reads the whole lines that have come. A step that came before is left out: an engine that continues from a
// checkpoint writes some of them twice.
func (f *follower) poll() error {
	file, err := bounded.Open(f.path, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("follow the metrics: %w", err)
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.Size() < f.at {
		f.at = 0 // it was written anew
	}
	if _, err := file.Seek(f.at, io.SeekStart); err != nil {
		return fmt.Errorf("follow the metrics: %w", err)
	}
	data, err := io.ReadAll(io.LimitReader(file, maxLine))
	if err != nil {
		return fmt.Errorf("follow the metrics: %w", err)
	}
	end := bytes.LastIndexByte(data, '\n') + 1
	if end == 0 && len(data) == maxLine {
		return fmt.Errorf("follow the metrics: a line of %s has no end", f.path)
	}
	for line := range bytes.Lines(data[:end]) {
		s, ok, err := parseStep(f.engine, bytes.TrimSpace(line))
		if err != nil {
			return fmt.Errorf("follow the metrics: %s: %w", f.path, err)
		}
		if !ok || s.Step <= f.last {
			continue
		}
		f.last = s.Step
		if err := f.seen(s); err != nil {
			return err
		}
	}
	f.at += int64(end)
	return nil
}

// follow polls until done is closed, and once more then.
func (f *follower) follow(ctx context.Context, every time.Duration, done <-chan struct{}) error {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-done:
			return f.poll()
		case <-t.C:
			if err := f.poll(); err != nil && ctx.Err() == nil {
				return err
			}
		}
	}
}

